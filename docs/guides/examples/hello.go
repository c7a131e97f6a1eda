// Makes hello.pdf. Run with Go 1.22 or newer: go run hello.go
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	server := os.Getenv("PLATEN_URL")
	if server == "" {
		server = "http://127.0.0.1:3000"
	}
	body := `{"html": "<h1>Hello {{name}}</h1>", "data": {"name": "Ada"}}`
	request, err := http.NewRequest("POST", server+"/v1/generate", strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PLATEN_API_KEY"))
	request.Header.Set("Accept", "application/pdf")
	request.Header.Set("Content-Type", "application/json")

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	pdf, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatal(string(pdf))
	}
	if err := os.WriteFile("hello.pdf", pdf, 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Println("Saved hello.pdf")
}
