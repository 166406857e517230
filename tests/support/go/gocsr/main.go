// Reads a JSON list of requests, each a PEM and the uses that it is for, and prints a JSON list of what crypto/x509 reads in each, and whether Kubernetes'
// own rules for the signers of kubelets would let it pass. A request that cannot be read has an error in its place.
package main

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"strings"
)

type Asked struct {
	Request string   `json:"request"`
	Usages  []string `json:"usages"`
}

type Read struct {
	Error         string   `json:"error"`
	CommonName    string   `json:"commonName"`
	Organizations []string `json:"organizations"`
	Others        int      `json:"others"` // parts of the subject that are neither
	DNSNames      []string `json:"dnsNames"`
	Addresses     []string `json:"addresses"`
	Names         int      `json:"names"` // mail addresses and URIs
	Key           string   `json:"key"`
	Client        bool     `json:"client"`  // kubernetes.io/kube-apiserver-client-kubelet would be content with the content
	Serving       bool     `json:"serving"` // kubernetes.io/kubelet-serving would
}

// uses tells whether they are those of a kubelet's certificate: with or without the one that only RSA keys have.
func uses(asked []string, use string) bool {
	given := map[string]bool{}
	for _, one := range asked {
		given[one] = true
	}
	size := 2
	if given["key encipherment"] {
		size = 3
	}
	return len(given) == size && given["digital signature"] && given[use]
}

func read(asked Asked) Read {
	block, _ := pem.Decode([]byte(asked.Request))
	if block == nil || block.Type != "CERTIFICATE REQUEST" {
		return Read{Error: "no PEM block of a request"}
	}
	request, err := x509.ParseCertificateRequest(block.Bytes)
	if err != nil {
		return Read{Error: err.Error()}
	}
	if err := request.CheckSignature(); err != nil {
		return Read{Error: err.Error()}
	}
	key := sha256.Sum256(request.RawSubjectPublicKeyInfo)
	found := Read{
		CommonName:    request.Subject.CommonName,
		Organizations: request.Subject.Organization,
		Others:        len(request.Subject.Names) - len(request.Subject.Organization) - 1,
		DNSNames:      request.DNSNames,
		Names:         len(request.EmailAddresses) + len(request.URIs),
		Key:           hex.EncodeToString(key[:]),
	}
	for _, address := range request.IPAddresses {
		found.Addresses = append(found.Addresses, address.String())
	}
	groups := request.Subject.Organization
	node := len(groups) == 1 && groups[0] == "system:nodes" && strings.HasPrefix(found.CommonName, "system:node:") && found.Names == 0
	names := len(found.DNSNames) + len(found.Addresses)
	found.Client = node && names == 0 && uses(asked.Usages, "client auth")
	found.Serving = node && names > 0 && uses(asked.Usages, "server auth")
	return found
}

func main() {
	var requests []Asked
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	found := make([]Read, len(requests))
	for i, asked := range requests {
		found[i] = read(asked)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
