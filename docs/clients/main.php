<?php
// Uses a client that openapi-generator has generated into the folder `platen`.
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/platen/lib/' . str_replace(['Platen\\', '\\'], ['', '/'], $class) . '.php';
    if (is_file($file)) {
        require $file;
    }
});

use Platen\Api\GenerateApi;
use Platen\Api\TemplatesApi;
use Platen\ApiException;
use Platen\Configuration;
use Platen\Model\CreateTemplateRequest;
use Platen\Model\ErrorResponse;
use Platen\Model\GenerateRequest;
use Platen\Model\GenerationCompletedEvent;
use Platen\Model\ListInclude;
use Platen\Model\PaperFormat;
use Platen\Model\PrintOptions;
use Platen\ObjectSerializer;

Configuration::getDefaultConfiguration()
    ->setHost(getenv('PLATEN_URL'))
    ->setAccessToken(getenv('PLATEN_API_KEY'))
    ->setBooleanFormatForQueryString(Configuration::BOOLEAN_FORMAT_STRING);
$templates = new TemplatesApi();
$generate = new GenerateApi();

$template = $templates->createTemplate(
    new CreateTemplateRequest([
        'name' => 'Greeting',
        'html_content' => '<h1>Hello {{name}}</h1>',
        'options' => new PrintOptions(['margin' => 20]),
    ]),
);
$stored = $templates->getTemplate($template->getId());
echo "created {$stored->getId()}\n";

$made = $generate->generatePdf(new GenerateRequest([
    'template' => $template->getId(),
    'data' => ['name' => 'Ada'],
    'options' => new PrintOptions(['format' => PaperFormat::A5, 'margin' => '1cm']),
]));
echo "generated {$made->getId()} with {$made->getPages()} page\n";

$generation = $generate->getGeneration($made->getId(), receipt: true);
$class = $generation->getReceipt()->getClass();
echo "read {$generation->getId()}: {$generation->getStatus()}, {$class}\n";

$list = $generate->listGenerations(include: ListInclude::TOTAL);
$ids = array_map(fn ($each) => $each->getId(), $list->getData());
echo "listed {$list->getTotal()}: " . implode(',', $ids) . "\n";

try {
    $generate->generatePdf(new GenerateRequest([
        'html' => '<h1>Hello</h1>',
        'options' => new PrintOptions(['margin' => '10 parsecs']),
    ]));
} catch (ApiException $exception) {
    $error = $exception->getResponseObject();
    assert($error instanceof ErrorResponse);
    $fault = $error->getError();
    echo "{$exception->getCode()} {$fault->getCode()}: {$fault->getDetails()[0]->getPath()}\n";
}

$event = ObjectSerializer::deserialize(getenv('WEBHOOK_MESSAGE'), GenerationCompletedEvent::class);
echo "received {$event->getType()}: {$event->getData()->getReference()}\n";
