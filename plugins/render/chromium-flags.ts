/** Features that are off: they send requests of the browser's own, change how a page loads, or serve people who browse. */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** What the command line of the browser depends on. */
export interface FlagOptions {
  /** Address of the egress guard, `http://127.0.0.1:PORT`. */
  proxyUrl: string;
  /** Whether Chromium's own sandbox is on; it cannot be on for root. */
  sandbox: boolean;
}

/**
 * Lists the command-line switches of the print browser. Most close a way around the egress guard: with them a page has no path to the
 * network but the proxy (`tests/security/page-egress.test.ts` tries them all).
 */
export function chromiumFlags({ proxyUrl, sandbox }: FlagOptions): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    '--no-startup-window',
    ...(sandbox ? [] : ['--no-sandbox']),

    // The one door: http by absolute-form, https and both kinds of WebSocket by CONNECT. It also overrides the proxy variables of the environment.
    `--proxy-server=${proxyUrl}`,
    // Chromium sends loopback and link-local hosts past a proxy unless this token takes its implicit rules away.
    '--proxy-bypass-list=<-loopback>',
    // WebRTC may use no UDP that does not go through the proxy, which speaks TCP only: no STUN, no TURN over UDP, no host candidates.
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    // The browser resolves no name itself, so dns-prefetch and preconnect tell no resolver anything. The exception is the proxy's own address.
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    // HTTP/3 is UDP and would not pass the proxy.
    '--disable-quic',

    // No second page: window.open, target=_blank and their kind yield nothing, so every document is one that the service opened.
    '--block-new-web-contents',
    // `<a ping>` sends nothing.
    '--no-pings',
    // A printed page needs no USB, Bluetooth, payment, presentation or speech devices.
    '--disable-notifications',
    '--disable-speech-api',
    '--disable-presentation-api',
    '--disable-remote-playback-api',

    // The browser itself calls nobody: no update checks, no component downloads, no sync, no reports of errors or of reliability.
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-domain-reliability',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-client-side-phishing-detection',
    '--disable-default-apps',
    '--disable-extensions',
    '--metrics-recording-only',
    '--no-first-run',
    '--no-default-browser-check',
    '--no-service-autorun',

    // Keeps no page alive or ahead of its time behind the one that is printed.
    '--disable-back-forward-cache',
    // An active page is emptied by navigating it, and otherwise each navigation makes a new frame with a new compositor: a quarter of the work
    // of a small document. The document, its window and all script contexts are new either way.
    '--enable-features=RenderDocument:level/crashed-frame',

    // Containers give /dev/shm 64 MB, which large pages exceed; shared memory goes to /tmp.
    '--disable-dev-shm-usage',
    // One renderer's heap in MB; a page that needs more loses its renderer, not the machine.
    '--js-flags=--max-old-space-size=512',
    '--hide-scrollbars',
    '--mute-audio',

    // Playwright's defaults for a browser that is driven by a program: every run the same, no page slower because it is not looked at.
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
    '--disable-field-trial-config',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-hang-monitor',
    '--disable-popup-blocking',
    '--disable-prompt-on-repost',
    '--allow-pre-commit-input',
    '--force-color-profile=srgb',
    '--password-store=basic',
    '--use-mock-keychain',
    '--enable-unsafe-swiftshader',
    '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
  ];
}
