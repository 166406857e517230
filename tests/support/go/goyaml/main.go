// Reads a JSON list of YAML texts and prints a JSON list of what Kubernetes' own reader makes of them.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	read := make([]any, len(texts))
	for i, text := range texts {
		if err := yaml.UnmarshalStrict([]byte(text), &read[i]); err != nil {
			fmt.Fprintf(os.Stderr, "text %d: %v\n", i, err)
			os.Exit(1)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(read); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
