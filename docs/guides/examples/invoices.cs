// Makes invoices from a stored template with .NET 8 or newer. Run it as Program.cs of a console project.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

class PlatenException : Exception
{
    public JsonElement Error { get; }

    public PlatenException(JsonElement error)
        : base(error.GetProperty("code").GetString() + ": " + error.GetProperty("message").GetString())
    {
        Error = error;
    }
}

static class Invoices
{
    static readonly string Server = Environment.GetEnvironmentVariable("PLATEN_URL") ?? "http://127.0.0.1:3000";
    static readonly string Key = Environment.GetEnvironmentVariable("PLATEN_API_KEY") ?? "";
    static readonly HttpClient Client = new HttpClient();

    // Sends a request. Tries again while the service is busy (429) or unavailable (503).
    // HttpClient sends a request message only once, so make creates one for each attempt.
    static async Task<HttpResponseMessage> Send(Func<HttpRequestMessage> make)
    {
        for (var attempt = 1; ; attempt++)
        {
            var request = make();
            request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", Key);
            var response = await Client.SendAsync(request);
            if (response.IsSuccessStatusCode) return response;
            var status = (int)response.StatusCode;
            if ((status != 429 && status != 503) || attempt == 5)
                throw new PlatenException((await ReadJson(response)).GetProperty("error"));
            await Task.Delay(response.Headers.RetryAfter?.Delta ?? TimeSpan.FromSeconds(1));
        }
    }

    static HttpRequestMessage Get(string path)
    {
        return new HttpRequestMessage(HttpMethod.Get, Server + path);
    }

    static HttpRequestMessage Post(string path, HttpContent content, string accept = "application/json")
    {
        var request = new HttpRequestMessage(HttpMethod.Post, Server + path) { Content = content };
        request.Headers.Accept.ParseAdd(accept);
        return request;
    }

    static HttpContent Json(object body)
    {
        return new StringContent(JsonSerializer.Serialize(body), Encoding.UTF8, "application/json");
    }

    static async Task<JsonElement> ReadJson(HttpResponseMessage response)
    {
        return JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement;
    }

    static async Task Save(HttpResponseMessage response, string name)
    {
        File.WriteAllBytes(name, await response.Content.ReadAsByteArrayAsync());
    }

    static string Pages(HttpResponseMessage response)
    {
        return response.Headers.GetValues("Platen-Pages").First();
    }

    static async Task Main()
    {
        // 1. A stored template, and a PDF of it
        var created = await ReadJson(await Send(() => Post("/v1/templates", Json(new
        {
            name = "Invoice",
            html_content = "<h1>Invoice {{number}}</h1><p>{{formatCurrency total \"EUR\"}}</p>",
        }))));
        var template = created.GetProperty("id").GetString();

        var invoice = await Send(() => Post(
            "/v1/generate", Json(new { template, data = new { number = 118, total = 49.5 } }), "application/pdf"));
        await Save(invoice, "invoice.pdf");
        Console.WriteLine("invoice.pdf has " + Pages(invoice) + " page");

        // 2. Errors
        try
        {
            await Send(() => Post("/v1/generate", Json(new { html = "<p>{{#if paid}}Paid</p>", data = new { } })));
        }
        catch (PlatenException failure)
        {
            Console.WriteLine(failure.Message);
            foreach (var detail in failure.Error.GetProperty("details").EnumerateArray())
                Console.WriteLine($"  {detail.GetProperty("path")}: {detail.GetProperty("message")}");
        }

        // 3. A batch: up to 100 PDFs in the background
        var numbers = new[] { 119, 120, 121 };
        var items = numbers.Select(number => new { template, data = new { number, total = 10 } });
        var idempotencyKey = Guid.NewGuid().ToString();
        var accepted = await ReadJson(await Send(() =>
        {
            var request = Post("/v1/generate/batch", Json(new { items }));
            request.Headers.Add("Idempotency-Key", idempotencyKey);
            return request;
        }));
        var batch = accepted.GetProperty("batch_id").GetString();

        var state = accepted;
        while (new[] { "queued", "processing" }.Contains(state.GetProperty("status").GetString()))
        {
            await Task.Delay(500);
            state = await ReadJson(await Send(() => Get("/v1/batches/" + batch)));
        }
        Console.WriteLine(
            $"The batch has {state.GetProperty("completed")} PDFs and {state.GetProperty("failed")} failures");

        var made = await ReadJson(await Send(() => Get(
            "/v1/generations?batch_id=" + batch + "&status=completed&limit=100")));
        var names = new List<string>();
        foreach (var item in made.GetProperty("data").EnumerateArray().OrderBy(item => item.GetProperty("index").GetInt32()))
        {
            var name = $"invoice-{numbers[item.GetProperty("index").GetInt32()]}.pdf";
            await Save(await Client.GetAsync(item.GetProperty("url").GetString()), name); // links need no key
            names.Add(name);
        }

        // 4. Files as multipart/form-data
        var merged = await Send(() =>
        {
            var form = new MultipartFormDataContent();
            foreach (var name in names) form.Add(new ByteArrayContent(File.ReadAllBytes(name)), "pdfs", name);
            return Post("/v1/pdf/merge", form, "application/pdf");
        });
        await Save(merged, "invoices.pdf");
        Console.WriteLine("invoices.pdf has " + Pages(merged) + " pages");

        await Send(() => new HttpRequestMessage(HttpMethod.Delete, Server + "/v1/templates/" + template));
    }
}
