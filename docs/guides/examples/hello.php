<?php
// Makes hello.pdf. Run with PHP 8 and its curl extension: php hello.php
$server = getenv('PLATEN_URL') ?: 'http://127.0.0.1:3000';

$curl = curl_init("$server/v1/generate");
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('PLATEN_API_KEY'),
        'Accept: application/pdf',
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode(['html' => '<h1>Hello {{name}}</h1>', 'data' => ['name' => 'Ada']]),
]);
$body = curl_exec($curl);
if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {
    exit($body === false ? curl_error($curl) : $body);
}

file_put_contents('hello.pdf', $body);
echo "Saved hello.pdf\n";
