const script = (source: string) => `<p>text</p><script>${source}</script>`;

/**
 * Repeats code forever, but lets the event loop of the page run in between, so that requests are carried out.
 */
const repeatForever = (source: string) => script(`setInterval(() => { ${source} }, 0)`);

const times = (count: number, source: string) => script(`for (let i = 0; i < ${count}; i++) { ${source} }`);

const frames = (attribute: string) =>
  times(
    100,
    `const frame = document.createElement('iframe'); frame.${attribute}; document.body.append(frame);`,
  );

/** Servers that a document may reach, each as `host:port`. */
interface Hosts {
  heads: string;
  sockets: string;
}

/** Documents by name. */
type Documents = Readonly<Record<string, string>>;

/**
 * Creates groups of documents to be printed at the same time. Each tries to fill the memory of the service
 * with data that the service reads from the page.
 */
export function memoryBombs({ heads, sockets }: Hosts): Readonly<Record<string, Documents>> {
  return {
    'exceptions of 100 MB': {
      thrown: times(5, 'setTimeout(() => { throw "z".repeat(1e8) }, 0)'),
      'as error messages': repeatForever('throw new Error("z".repeat(1e8))'),
      'promises rejected': times(5, 'Promise.reject("z".repeat(1e8))'),
      'thrown in frames': frames(
        'srcdoc = "<script>setInterval(() => { throw \'z\'.repeat(1e7) }, 0)</" + "script>"',
      ),
      'thrown in workers': script(
        `const source = URL.createObjectURL(new Blob(['console.error("z".repeat(1e8)); throw "z".repeat(1e8)']));
         for (let i = 0; i < 20; i++) new Worker(source)`,
      ),
    },
    'console calls of 100 MB': {
      'console.error': times(20, 'console.error("z".repeat(1e8))'),
      'console.log': times(20, 'console.log("z".repeat(1e8))'),
      'many arguments': script(
        'const text = "z".repeat(1e6); for (;;) console.log(...Array.from({ length: 500 }, () => text))',
      ),
      'an object with many long names': repeatForever(
        'console.log(Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ["z".repeat(1000) + i, i])))',
      ),
    },
    'endless console calls': {
      'of one character': script('for (;;) console.log(1)'),
      'of 1 MB': script('for (;;) console.log("z".repeat(1e6))'),
      'with a deep stack of functions with long names': script(
        `const name = 'z'.repeat(1e6);
         const holder = { [name]: (depth) => depth > 0 ? holder[name](depth - 1) : console.trace() };
         for (;;) holder[name](90)`,
      ),
    },
    'dialogs, titles and names': {
      'alert, confirm and prompt of 100 MB': script(
        'for (const ask of [alert, confirm, prompt]) for (let i = 0; i < 5; i++) ask("z".repeat(1e8), "z".repeat(1e8))',
      ),
      'a title of 100 MB': script('document.title = "z".repeat(1e8)'),
      'titles of 10 MB without end': repeatForever('document.title = "z".repeat(1e7) + Math.random()'),
      'a window.name of 100 MB': script('window.name = "z".repeat(1e8)'),
      'frames with names of 10 MB': frames('name = "z".repeat(1e7) + i'),
      'a flood of messages': repeatForever(
        'for (let i = 0; i < 100; i++) postMessage("z".repeat(1e6)); onmessage = ({ data }) => postMessage(data)',
      ),
      'functions that an automation driver may have left': script(
        `for (const name of Object.getOwnPropertyNames(window))
           if (/playwright|puppeteer|binding/i.test(name)) try { window[name]("z".repeat(1e8)) } catch {}`,
      ),
    },
    'long URLs': {
      'fragments of 2 MB': repeatForever('location.hash = "z".repeat(1.9e6) + Math.random()'),
      'history entries of 2 MB': repeatForever(
        'history.pushState(0, "", "#" + "z".repeat(1.9e6) + Math.random())',
      ),
      'data: URLs of 100 MB': repeatForever('fetch("data:text/plain," + "z".repeat(1e8)).catch(() => {})'),
      'images of 20 MB': repeatForever('new Image().src = "data:image/png;base64," + "z".repeat(2e7)'),
      'windows with URLs of 2 MB': repeatForever('open("http://192.0.2.1/" + "z".repeat(1.9e6))'),
    },
    'long URLs that do not load': {
      'refused addresses': repeatForever(
        'for (let i = 0; i < 50; i++) new Image().src = "http://192.0.2.1/" + "z".repeat(1.9e6) + Math.random()',
      ),
      'broken images': times(
        500,
        'document.body.append(Object.assign(new Image(), { src: "data:," + "z".repeat(1.9e6) + i }))',
      ),
      'fonts with names of 10 MB': times(
        50,
        'const face = new FontFace("z".repeat(1e7) + i, "url(data:,)"); document.fonts.add(face); face.load().catch(() => {})',
      ),
      'downloads with names of 10 MB': repeatForever(
        'const link = document.createElement("a"); link.download = "z".repeat(1e7); link.href = "data:," + "z".repeat(1e7); link.click()',
      ),
    },
    'traffic with an allowed host': {
      'response heads of 240 kB': repeatForever(
        `for (let i = 0; i < 100; i++) fetch("http://${heads}/" + Math.random()).catch(() => {})`,
      ),
      'request bodies of 50 MB': repeatForever(
        `fetch("http://${sockets}/", { method: "POST", mode: "no-cors", body: "z".repeat(5e7) }).catch(() => {})`,
      ),
      'endless requests': repeatForever(
        `for (let i = 0; i < 1000; i++) fetch("http://${sockets}/" + Math.random()).catch(() => {})`,
      ),
      'event streams': times(100, `new EventSource("http://${sockets}/" + "z".repeat(1e6))`),
    },
    'WebSockets to an allowed host': {
      endless: repeatForever(
        `for (let i = 0; i < 100; i++) new WebSocket("ws://${sockets}/" + Math.random())`,
      ),
      'with messages of 50 MB': script(
        `const socket = new WebSocket("ws://${sockets}/"); socket.onopen = socket.onmessage = () => socket.send("z".repeat(5e7))`,
      ),
    },
    'a long document': {
      'links of 1 MB': times(
        200,
        'document.body.append(Object.assign(document.createElement("a"), { href: "https://example.com/" + "z".repeat(1e6), textContent: "text" }))',
      ),
      'frames with documents of 10 MB': frames('srcdoc = "z".repeat(1e7)'),
    },
  };
}

const JPEG_MEGABYTES = 10;

/**
 * Creates a document whose PDF has about the given size, at little cost for the page: Chromium copies a JPEG
 * into the PDF with its comments, and these JPEGs consist of comments.
 */
export function largePdf(megabytes: number): string {
  return script(`
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 16;
    canvas.getContext('2d').fillRect(0, 0, 9, 9);
    const jpeg = Uint8Array.from(atob(canvas.toDataURL('image/jpeg').split(',')[1]), (letter) => letter.charCodeAt(0));
    const comment = crypto.getRandomValues(new Uint8Array(65536));
    comment.set([0xff, 0xfe, 0xff, 0xfe]);
    const comments = Array.from({ length: ${JPEG_MEGABYTES} * 16 }, () => comment);
    for (let n = 0; n < ${Math.ceil(megabytes / JPEG_MEGABYTES)}; n++) {
      const image = new Image();
      // Identical images would be embedded only once.
      const unique = new Uint8Array([0xff, 0xfe, 0, 6, n, n >> 8, 0, 0]);
      image.src = URL.createObjectURL(new Blob([jpeg.subarray(0, 2), ...comments, unique, jpeg.subarray(2)]));
      document.body.append(image);
    }`);
}
