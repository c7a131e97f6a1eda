// Uses a client that oapi-codegen has generated into the package platen.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/client/platen"
)

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("PLATEN_API_KEY"))
		return nil
	}
	client, err := platen.NewClientWithResponses(os.Getenv("PLATEN_URL"), platen.WithRequestEditorFn(authorize))
	check(err)

	format, margin := platen.PrintOptions_Format{}, platen.PrintOptions_Margin{}
	check(margin.FromPrintOptionsMargin0(20))
	content := "<h1>Hello {{name}}</h1>"
	template, err := client.CreateTemplateWithResponse(ctx, nil, platen.CreateTemplateRequest{
		Name:        "Greeting",
		HtmlContent: &content,
		Options:     &platen.PrintOptions{Margin: &margin},
	})
	check(err)
	id := template.JSON201.Id
	stored, err := client.GetTemplateWithResponse(ctx, id, nil)
	check(err)
	pixels, err := stored.JSON200.Options.Margin.AsPrintOptionsMargin0()
	check(err)
	fmt.Printf("created %s with margin %v\n", id, pixels)

	check(format.FromPaperFormat(platen.PaperFormatA5))
	check(margin.FromPrintOptionsMargin1("1cm"))
	made, err := client.GeneratePdfWithResponse(ctx, nil, platen.GenerateRequest{
		Template: &id,
		Data:     &platen.TemplateData{"name": "Ada"},
		Options:  &platen.PrintOptions{Format: &format, Margin: &margin},
	})
	check(err)
	fmt.Printf("generated %s with %d page\n", made.JSON200.Id, *made.JSON200.Pages)

	receipt := true
	generation, err := client.GetGenerationWithResponse(ctx, made.JSON200.Id, &platen.GetGenerationParams{Receipt: &receipt})
	check(err)
	read := generation.JSON200
	fmt.Printf("read %s: %s, %s\n", read.Id, read.Status, *read.Receipt.Class)

	include := platen.Total
	list, err := client.ListGenerationsWithResponse(ctx, &platen.ListGenerationsParams{Include: &include})
	check(err)
	fmt.Printf("listed %d: %s\n", *list.JSON200.Total, list.JSON200.Data[0].Id)

	html := "<h1>Hello</h1>"
	check(margin.FromPrintOptionsMargin1("10 parsecs"))
	refused, err := client.GeneratePdfWithResponse(ctx, nil, platen.GenerateRequest{
		Html:    &html,
		Options: &platen.PrintOptions{Margin: &margin},
	})
	check(err)
	fault := refused.JSON400.Error
	fmt.Printf("%d %s: %s\n", refused.StatusCode(), fault.Code, fault.Details[0].Path)

	var event platen.GenerationCompletedEvent
	check(json.Unmarshal([]byte(os.Getenv("WEBHOOK_MESSAGE")), &event))
	fmt.Printf("received %s: %s\n", event.Type, *event.Data.Reference)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
