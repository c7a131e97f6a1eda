<?php
// Makes invoices from a stored template. Run with PHP 8 and its curl extension: php invoices.php
$server = getenv('PLATEN_URL') ?: 'http://127.0.0.1:3000';

class PlatenError extends Exception
{
    public function __construct(public readonly array $error)
    {
        parent::__construct("{$error['code']}: {$error['message']}");
    }
}

/** Sends a request. Tries again while the service is busy (429) or unavailable (503). */
function send(string $method, string $path, ?array $json = null, ?array $form = null, array $headers = []): array
{
    global $server;
    for ($attempt = 1; ; $attempt++) {
        $received = [];
        $curl = curl_init($server . $path);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HTTPHEADER => [
                'Authorization: Bearer ' . getenv('PLATEN_API_KEY'),
                ...($json === null ? [] : ['Content-Type: application/json']),
                ...$headers,
            ],
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$received) {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $received[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ]);
        if ($json !== null || $form !== null) {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $json === null ? $form : json_encode($json));
        }
        $body = curl_exec($curl);
        if ($body === false) {
            throw new RuntimeException(curl_error($curl));
        }
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if ($status < 300) {
            return ['body' => $body, 'pages' => $received['platen-pages'] ?? null];
        }
        if (!in_array($status, [429, 503]) || $attempt === 5) {
            throw new PlatenError(json_decode($body, true)['error']);
        }
        sleep((int) ($received['retry-after'] ?? 1));
    }
}

// 1. A stored template, and a PDF of it
$template = json_decode(send('POST', '/v1/templates', [
    'name' => 'Invoice',
    'html_content' => '<h1>Invoice {{number}}</h1><p>{{formatCurrency total "EUR"}}</p>',
])['body']);

$invoice = send(
    'POST',
    '/v1/generate',
    ['template' => $template->id, 'data' => ['number' => 118, 'total' => 49.5]],
    headers: ['Accept: application/pdf'],
);
file_put_contents('invoice.pdf', $invoice['body']);
echo "invoice.pdf has {$invoice['pages']} page\n";

// 2. Errors. In JSON, an empty list is not an empty object: write (object) [].
try {
    send('POST', '/v1/generate', ['html' => '<p>{{#if paid}}Paid</p>', 'data' => (object) []]);
} catch (PlatenError $failure) {
    echo $failure->getMessage(), "\n";
    foreach ($failure->error['details'] as $detail) {
        echo "  {$detail['path']}: {$detail['message']}\n";
    }
}

// 3. A batch: up to 100 PDFs in the background
$numbers = [119, 120, 121];
$items = array_map(fn ($n) => ['template' => $template->id, 'data' => ['number' => $n, 'total' => 10]], $numbers);
$batch = json_decode(send(
    'POST',
    '/v1/generate/batch',
    ['items' => $items],
    headers: ['Idempotency-Key: ' . bin2hex(random_bytes(16))],
)['body']);
do {
    usleep(500_000);
    $state = json_decode(send('GET', "/v1/batches/$batch->batch_id")['body']);
} while (in_array($state->status, ['queued', 'processing']));
echo "The batch has $state->completed PDFs and $state->failed failures\n";

$made = json_decode(send('GET', "/v1/generations?batch_id=$batch->batch_id&status=completed&limit=100")['body'])->data;
usort($made, fn ($a, $b) => $a->index <=> $b->index);
$names = [];
foreach ($made as $item) {
    $names[] = $name = "invoice-{$numbers[$item->index]}.pdf";
    $link = curl_init($item->url); // links need no key
    $file = fopen($name, 'wb');
    curl_setopt_array($link, [CURLOPT_FILE => $file, CURLOPT_FAILONERROR => true]);
    curl_exec($link) || throw new RuntimeException(curl_error($link));
    fclose($file);
}

// 4. Files as multipart/form-data: each is uploaded once, and requests refer to it by its id
$ids = [];
foreach ($names as $name) {
    $form = ['file' => new CURLFile($name, 'application/pdf'), 'expires_in' => 3600];
    $ids[] = json_decode(send('POST', '/v1/files', form: $form)['body'])->id;
}
$merged = send('POST', '/v1/pdf/merge', ['pdfs' => $ids], headers: ['Accept: application/pdf']);
file_put_contents('invoices.pdf', $merged['body']);
echo "invoices.pdf has {$merged['pages']} pages\n";

send('DELETE', "/v1/templates/$template->id");
