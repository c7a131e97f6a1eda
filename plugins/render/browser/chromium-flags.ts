/**
 * Disabled features: they send requests from the browser itself, change how a page loads, or serve
 * interactive use.
 */
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

export interface FlagOptions {
  /** The address of the egress guard, `http://127.0.0.1:PORT`. */
  proxyUrl: string;
  /** Whether Chromium's own sandbox is on; it cannot be on for root. */
  sandbox: boolean;
}

/**
 * Returns the command-line flags of the browser. Most of them close a way around the egress guard: with them,
 * the proxy is a document's only path to the network (`tests/security/page-egress.test.ts`).
 */
export function chromiumFlags({ proxyUrl, sandbox }: FlagOptions): string[] {
  return [
    ...browserFlags({ sandbox }),

    // The only way out: http in absolute form; https, ws and wss by CONNECT. The flag also overrides the
    // environment's proxy variables.
    `--proxy-server=${proxyUrl}`,
    // By default Chromium bypasses the proxy for loopback and link-local hosts. This token removes the
    // implicit rules.
    '--proxy-bypass-list=<-loopback>',
    // WebRTC may use UDP only through the proxy, which supports only TCP: no STUN, no TURN over UDP, no host
    // candidates.
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    // The browser never resolves names, so dns-prefetch and preconnect reveal nothing to a resolver. The
    // proxy's address is the exception.
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    // HTTP/3 uses UDP, which would bypass the proxy.
    '--disable-quic',
  ];
}

/** Returns the flags of a browser without those that limit its network. */
export function browserFlags({ sandbox }: Pick<FlagOptions, 'sandbox'>): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    '--no-startup-window',
    ...(sandbox ? [] : ['--no-sandbox']),

    // No popups: window.open, target=_blank and the like have no effect, so only the service opens documents.
    '--block-new-web-contents',
    // `<a ping>` sends no requests.
    '--no-pings',
    // A document to print needs no notifications, speech or presentation devices.
    '--disable-notifications',
    '--disable-speech-api',
    '--disable-presentation-api',
    '--disable-remote-playback-api',

    // The browser itself sends no requests: no update checks, component downloads, sync, or error and
    // reliability reports.
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

    // Chromium keeps no earlier document alive.
    '--disable-back-forward-cache',
    // RenderDocument: a navigation empties an active page. By default each navigation creates a new frame
    // with a new compositor, which takes a quarter of the time of a small document. The document, its window
    // and all script contexts are new either way. Bound cookies: a cookie without a domain goes only to its
    // scheme, host and port. Credentials for a URL rely on this.
    '--enable-features=RenderDocument:level/crashed-frame,EnablePortBoundCookies,EnableSchemeBoundCookies',

    // In containers /dev/shm has 64 MB, which large documents exceed, so shared memory uses /tmp.
    '--disable-dev-shm-usage',
    // The heap limit of a browser page in MB. A page that exceeds it crashes.
    '--js-flags=--max-old-space-size=512',
    '--hide-scrollbars',
    '--mute-audio',

    // Playwright's defaults for automation: the same behaviour in every run, and no throttling of pages in
    // the background.
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
