// Reads a JSON list of documents and prints a JSON list of the YAML that Kubernetes' writer makes of them.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	var documents []any
	if err := json.NewDecoder(os.Stdin).Decode(&documents); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	written := make([]string, len(documents))
	for i, document := range documents {
		text, err := yaml.Marshal(document)
		if err != nil {
			fmt.Fprintf(os.Stderr, "document %d: %v\n", i, err)
			os.Exit(1)
		}
		written[i] = string(text)
	}
	if err := json.NewEncoder(os.Stdout).Encode(written); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
