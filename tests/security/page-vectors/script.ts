import { markup, script, type Vector } from './vector.ts';

const js = 'text/javascript';

const scripts: Vector[] = [
  markup('script', ({ url }) => `<script src="${url}/"></script>`),
  markup('module script', ({ url }) => `<script type="module" src="${url}/"></script>`),
  script('dynamic import', ({ url }) => `import('${url}/').catch(() => 0)`),
  markup(
    'import map',
    ({ url }) =>
      `<script type="importmap">{"imports":{"a":"${url}/"}}</script><script type="module">import 'a'</script>`,
  ),
  script('fetch', ({ url }) => `fetch('${url}/', {mode: 'no-cors'}).catch(() => 0)`),
  script(
    'fetch with preflight',
    ({ url }) => `fetch('${url}/', {method: 'PUT', headers: {a: 'b'}}).catch(() => 0)`,
  ),
  script(
    'fetch keepalive',
    ({ url }) =>
      `fetch('${url}/', {method: 'POST', body: 'x', mode: 'no-cors', keepalive: true}).catch(() => 0)`,
  ),
  script('fetchLater', ({ url }) => `fetchLater('${url.replace('http:', 'https:')}/', {activateAfter: 0})`),
  script('XMLHttpRequest', ({ url }) => `const x = new XMLHttpRequest(); x.open('GET', '${url}/'); x.send()`),
  script(
    'synchronous XMLHttpRequest',
    ({ url }) => `const x = new XMLHttpRequest(); x.open('GET', '${url}/', false); x.send()`,
  ),
  script('EventSource', ({ url }) => `new EventSource('${url}/')`),
  script('sendBeacon', ({ url }) => `navigator.sendBeacon('${url}/', 'x')`),
  script(
    'sendBeacon on unload',
    ({ url }) => `addEventListener('pagehide', () => navigator.sendBeacon('${url}/', 'x'));
      addEventListener('beforeprint', () => navigator.sendBeacon('${url}/', 'y'))`,
  ),
  script('WebSocket', ({ at }) => `new WebSocket('ws://${at}/')`),
  script('secure WebSocket', ({ at }) => `new WebSocket('wss://${at}/')`),
  script('WebSocketStream', ({ at }) => `new WebSocketStream('ws://${at}/')`),
  script('WebTransport', ({ at }) => `new WebTransport('https://${at}/').ready.catch(() => 0)`),
  script(
    'WebTransport with certificate hash',
    ({ at }) =>
      `new WebTransport('https://${at}/', {serverCertificateHashes: [{algorithm: 'sha-256', value: new Uint8Array(32)}]}).ready.catch(() => 0)`,
  ),
  script(
    'direct sockets',
    ({ port }) =>
      `new TCPSocket('127.0.0.1', ${port}); new UDPSocket({remoteAddress: '127.0.0.1', remotePort: ${port}})`,
  ),
  script(
    'PaymentRequest',
    ({ at }) =>
      `new PaymentRequest([{supportedMethods: 'https://${at}/'}], {total: {label: 'a', amount: {currency: 'EUR', value: '1'}}}).canMakePayment().catch(() => 0)`,
  ),
  script(
    'FedCM',
    ({ at }) =>
      `navigator.credentials.get({identity: {providers: [{configURL: 'https://${at}/c.json', clientId: 'a'}]}}).catch(() => 0)`,
  ),
  script(
    'PresentationRequest',
    ({ url }) => `new PresentationRequest('${url}/').getAvailability().catch(() => 0)`,
  ),
  script(
    'interest group',
    ({ at }) =>
      `navigator.joinAdInterestGroup({owner: 'https://${at}', name: 'a', updateURL: 'https://${at}/u'}, 9).catch(() => 0)`,
  ),
  script('shared storage worklet', ({ url }) => `sharedStorage.worklet.addModule('${url}/').catch(() => 0)`),
  script('audio worklet', ({ url }) => `new AudioContext().audioWorklet.addModule('${url}/').catch(() => 0)`),
  script('paint worklet', ({ url }) => `CSS.paintWorklet.addModule('${url}/').catch(() => 0)`),
  script('document.write', ({ url }) => `document.write('<img src="${url}/">')`),
];

const peer = (body: string) => `const p = new RTCPeerConnection(${body}); p.createDataChannel('a');
  p.onicecandidate = () => 0; p.createOffer().then((offer) => p.setLocalDescription(offer))`;

const webRtc: Vector[] = [
  script('WebRTC STUN', ({ at }) => peer(`{iceServers: [{urls: 'stun:${at}'}]}`)),
  script('WebRTC TURN over UDP', ({ at }) =>
    peer(`{iceServers: [{urls: 'turn:${at}?transport=udp', username: 'a', credential: 'b'}]}`),
  ),
  script('WebRTC TURN over TCP', ({ at }) =>
    peer(`{iceServers: [{urls: 'turn:${at}?transport=tcp', username: 'a', credential: 'b'}]}`),
  ),
  script('WebRTC TURN over TLS', ({ at }) =>
    peer(`{iceServers: [{urls: 'turns:${at}?transport=tcp', username: 'a', credential: 'b'}]}`),
  ),
  script('WebRTC STUN by name', ({ port }) => peer(`{iceServers: [{urls: 'stun:localhost:${port}'}]}`)),
  script(
    'WebRTC remote candidates',
    ({ port }) => `const a = new RTCPeerConnection(), b = new RTCPeerConnection(); a.createDataChannel('x');
      a.createOffer().then((o) => a.setLocalDescription(o).then(() => b.setRemoteDescription(o)))
      .then(() => b.createAnswer()).then((answer) => b.setLocalDescription(answer).then(() => a.setRemoteDescription(answer)))
      .then(() => Promise.all(['udp 2122260223 127.0.0.1 ${port} typ host', 'tcp 1518280447 127.0.0.1 ${port} typ host tcptype passive']
        .map((c) => a.addIceCandidate({candidate: 'candidate:1 1 ' + c, sdpMid: '0'})))).catch((e) => console.log(String(e)))`,
  ),
];

const workers: Vector[] = [
  script(
    'worker fetch and WebSocket',
    ({ url, at }) =>
      `new Worker(URL.createObjectURL(new Blob(["fetch('${url}/').catch(() => 0); new WebSocket('ws://${at}/')"])))`,
  ),
  script(
    'worker importScripts',
    ({ url }) => `new Worker(URL.createObjectURL(new Blob(["importScripts('${url}/')"])))`,
  ),
  script(
    'module worker import',
    ({ url }) =>
      `new Worker(URL.createObjectURL(new Blob(["import '${url}/'"], {type: '${js}'})), {type: 'module'})`,
  ),
  script('worker script', ({ url }) => `new Worker('${url}/')`),
  script(
    'shared worker',
    ({ url }) => `new SharedWorker(URL.createObjectURL(new Blob(["fetch('${url}/').catch(() => 0)"])))`,
  ),
  {
    ...script('service worker', () => `navigator.serviceWorker.register('sw.js')`),
    files: ({ url }) => ({
      'sw.js': {
        type: js,
        body: `fetch('${url}/', {mode: 'no-cors'}).catch(() => 0); try { importScripts('${url}/i') } catch {}`,
      },
    }),
  },
  {
    ...script(
      'background fetch',
      ({ url }) => `navigator.serviceWorker.register('sw.js').then(() => navigator.serviceWorker.ready)
        .then((r) => r.backgroundFetch.fetch('a', '${url}/')).catch((e) => console.log(String(e)))`,
    ),
    files: () => ({ 'sw.js': { type: js, body: `addEventListener('fetch', () => 0)` } }),
  },
];

/** Vectors that call an API from the page or one of its workers. */
export const scriptVectors: Vector[] = [...scripts, ...webRtc, ...workers];
