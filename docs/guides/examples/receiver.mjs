// Prints the webhooks that Platen sends and rejects forged ones: node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

function isValid({ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given = '' }, body) {
  const signature = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64');
  const expected = Buffer.from(`v1,${signature}`);
  const isEqual = (one) => one.length === expected.length && timingSafeEqual(one, expected);
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) < 300;
  const signatures = given.split(' ').map((text) => Buffer.from(text));
  return isRecent && signatures.some(isEqual);
}

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const valid = isValid(request.headers, body);
  if (valid) {
    const { type, data } = JSON.parse(body);
    console.log(type, data.id ?? data.batch_id ?? data);
  } else console.log('rejected a request: wrong signature or old timestamp');
  response.writeHead(valid ? 204 : 400).end();
}).listen(8080, '127.0.0.1');
