// Prints the webhooks that Platen sends and rejects forged ones: node receiver.mjs
import { createServer } from 'node:http';
import { verifyWebhook } from '@platen/client';

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  try {
    const { type, data } = await verifyWebhook(body, request.headers, process.env.WEBHOOK_SECRET);
    console.log(type, data.id ?? data.batch_id ?? data);
    response.writeHead(204).end();
  } catch (error) {
    console.log(`rejected a request: ${error.message}`);
    response.writeHead(400).end();
  }
}).listen(8080, '127.0.0.1');
