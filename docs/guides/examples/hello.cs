// Makes hello.pdf with .NET 8 or newer. Run it as Program.cs of a console project.
using System;
using System.IO;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading.Tasks;

static class Hello
{
    static async Task Main()
    {
        var server = Environment.GetEnvironmentVariable("PLATEN_URL") ?? "http://127.0.0.1:3000";
        var key = Environment.GetEnvironmentVariable("PLATEN_API_KEY");
        using (var client = new HttpClient())
        {
            client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
            client.DefaultRequestHeaders.Accept.ParseAdd("application/pdf");
            var json = "{\"html\": \"<h1>Hello {{name}}</h1>\", \"data\": {\"name\": \"Ada\"}}";
            var response = await client.PostAsync(
                server + "/v1/generate", new StringContent(json, Encoding.UTF8, "application/json"));
            if (!response.IsSuccessStatusCode) throw new Exception(await response.Content.ReadAsStringAsync());

            File.WriteAllBytes("hello.pdf", await response.Content.ReadAsByteArrayAsync());
            Console.WriteLine("Saved hello.pdf");
        }
    }
}
