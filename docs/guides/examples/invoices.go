// Makes invoices from a stored template. Run with Go 1.22 or newer: go run invoices.go
package main

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"
)

type object map[string]any

// An Error is the error of a response.
type Error struct {
	Code    string
	Message string
	Details []struct{ Path, Message string }
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// A result is the body of a response, and the number of pages if it is a PDF.
type result struct {
	body  []byte
	pages string
}

// send sends a request. It tries again while the service is busy (429) or unavailable (503).
func send(method, path string, body []byte, headers map[string]string) (result, error) {
	server := cmp.Or(os.Getenv("PLATEN_URL"), "http://127.0.0.1:3000")
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequest(method, server+path, bytes.NewReader(body))
		if err != nil {
			return result{}, err
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("PLATEN_API_KEY"))
		for name, value := range headers {
			request.Header.Set(name, value)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return result{}, err
		}
		received, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			return result{}, err
		}
		if response.StatusCode < 300 {
			return result{received, response.Header.Get("Platen-Pages")}, nil
		}
		temporary := response.StatusCode == 429 || response.StatusCode == 503
		if !temporary || attempt == 5 {
			var failure struct{ Error Error }
			if err := json.Unmarshal(received, &failure); err != nil {
				return result{}, err
			}
			return result{}, &failure.Error
		}
		seconds, _ := strconv.Atoi(cmp.Or(response.Header.Get("Retry-After"), "1"))
		time.Sleep(time.Duration(seconds) * time.Second)
	}
}

// call sends JSON and reads JSON into answer. Without a body, pass nil.
func call(method, path string, body, answer any) error {
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body)
	}
	received, err := send(method, path, text, map[string]string{"Content-Type": "application/json"})
	if err != nil || answer == nil {
		return err
	}
	return json.Unmarshal(received.body, answer)
}

// pdf sends JSON and returns the PDF.
func pdf(path string, body any) (result, error) {
	text, _ := json.Marshal(body)
	return send("POST", path, text, map[string]string{"Content-Type": "application/json", "Accept": "application/pdf"})
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	// 1. A stored template, and a PDF of it
	var template struct{ ID string }
	if err := call("POST", "/v1/templates", object{
		"name":         "Invoice",
		"html_content": `<h1>Invoice {{number}}</h1><p>{{formatCurrency total "EUR"}}</p>`,
	}, &template); err != nil {
		return err
	}
	invoice, err := pdf("/v1/generate", object{"template": template.ID, "data": object{"number": 118, "total": 49.5}})
	if err != nil {
		return err
	}
	if err := os.WriteFile("invoice.pdf", invoice.body, 0o644); err != nil {
		return err
	}
	fmt.Println("invoice.pdf has", invoice.pages, "page")

	// 2. Errors
	_, err = pdf("/v1/generate", object{"html": "<p>{{#if paid}}Paid</p>", "data": object{}})
	var failure *Error
	if errors.As(err, &failure) {
		fmt.Println(failure)
		for _, detail := range failure.Details {
			fmt.Printf("  %s: %s\n", detail.Path, detail.Message)
		}
	}

	// 3. A batch: up to 100 PDFs in the background
	numbers := []int{119, 120, 121}
	items := []object{}
	for _, number := range numbers {
		items = append(items, object{"template": template.ID, "data": object{"number": number, "total": 10}})
	}
	text, _ := json.Marshal(object{"items": items})
	accepted, err := send("POST", "/v1/generate/batch", text, map[string]string{
		"Content-Type":    "application/json",
		"Idempotency-Key": newKey(),
	})
	if err != nil {
		return err
	}
	var batch struct {
		ID                string `json:"batch_id"`
		Status            string
		Completed, Failed int
	}
	if err := json.Unmarshal(accepted.body, &batch); err != nil {
		return err
	}
	for batch.Status == "queued" || batch.Status == "processing" {
		time.Sleep(500 * time.Millisecond)
		if err := call("GET", "/v1/batches/"+batch.ID, nil, &batch); err != nil {
			return err
		}
	}
	fmt.Printf("The batch has %d PDFs and %d failures\n", batch.Completed, batch.Failed)

	type item struct {
		URL   string
		Index int
	}
	var made struct{ Data []item }
	if err := call("GET", "/v1/generations?batch_id="+batch.ID+"&status=completed&limit=100", nil, &made); err != nil {
		return err
	}
	slices.SortFunc(made.Data, func(a, b item) int { return a.Index - b.Index })

	// 4. Files as multipart/form-data
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	for _, item := range made.Data {
		name := fmt.Sprintf("invoice-%d.pdf", numbers[item.Index])
		content, err := download(item.URL)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			return err
		}
		part, _ := writer.CreateFormFile("pdfs", name)
		part.Write(content)
	}
	writer.Close()
	merged, err := send("POST", "/v1/pdf/merge", form.Bytes(), map[string]string{
		"Content-Type": writer.FormDataContentType(),
		"Accept":       "application/pdf",
	})
	if err != nil {
		return err
	}
	if err := os.WriteFile("invoices.pdf", merged.body, 0o644); err != nil {
		return err
	}
	fmt.Println("invoices.pdf has", merged.pages, "pages")

	return call("DELETE", "/v1/templates/"+template.ID, nil, nil)
}

// download reads a link to a PDF. Links need no key.
func download(url string) ([]byte, error) {
	response, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, errors.New(response.Status)
	}
	return io.ReadAll(response.Body)
}

func newKey() string {
	random := make([]byte, 16)
	rand.Read(random)
	return fmt.Sprintf("%x", random)
}
