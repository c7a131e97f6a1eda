import { findViolations, type Violation } from './axe.ts';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { findChromium } from '../../plugins/render/browser/find-chromium.mjs';
import { ensureStudio } from '../../scripts/setup.mjs';
import { newLink, PASSWORD } from '../support/studio/studio.ts';
import { TestService, type TestSettings } from '../support/service/service.ts';

export { PASSWORD };

/** How long a step waits for its condition, which is long because the machine may be busy. */
const PATIENCE_MS = 60_000;

/** The settings with which a page of the studio is opened. */
export interface PageSettings {
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  /** Opens the studio at `localhost`, where passkeys work, instead of the IP address. */
  byName?: boolean;
}

/**
 * A service and Chromium, with a page of the studio for each visitor. Bundles the studio first if its sources
 * have changed.
 */
export class StudioBrowser implements AsyncDisposable {
  readonly #browser: Browser;
  readonly service: TestService;

  private constructor(browser: Browser, service: TestService) {
    this.#browser = browser;
    this.service = service;
  }

  static async start(settings?: TestSettings): Promise<StudioBrowser> {
    // The service reads the bundle at its start.
    ensureStudio();
    const service = await TestService.start(settings);
    const executablePath = process.env['CHROMIUM_PATH'] ?? findChromium();
    if (!executablePath) throw new Error('Chromium is not installed');
    const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
    return new StudioBrowser(browser, service);
  }

  /** Opens an empty page for a visitor who is not signed in. */
  async visit({
    width = 1280,
    height = 800,
    theme = 'light',
    byName = false,
  }: PageSettings = {}): Promise<Visitor> {
    const { port } = new URL(this.service.url);
    const context = await this.#browser.newContext({
      baseURL: `http://${byName ? 'localhost' : '127.0.0.1'}:${port}`,
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    return new Visitor(context, await context.newPage(), this.service);
  }

  /** Opens a page for the owner of a new account, who has a password. */
  async signIn(
    settings: PageSettings & { email?: string; role?: 'owner' | 'operator' } = {},
  ): Promise<Visitor> {
    const visitor = await this.visit(settings);
    await visitor.redeem(settings.email, settings.role);
    return visitor;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.service[Symbol.asyncDispose]();
  }
}

/**
 * A person at a page of the studio. Records requests to other hosts and violations of the content security
 * policy.
 */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly email = `${crypto.randomUUID().slice(0, 8)}@example.com`;
  /** Everything that must not happen: blocked content, exceptions, requests to other hosts. */
  readonly offences: string[] = [];
  readonly #service: TestService;

  constructor(context: BrowserContext, page: Page, service: TestService) {
    this.context = context;
    this.page = page;
    page.setDefaultTimeout(PATIENCE_MS);
    this.#service = service;
    const { port } = new URL(service.url);
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (/^https?:$/.test(url.protocol) && url.port !== port) this.offences.push(`request to ${url.host}`);
    });
    page.on('pageerror', (error) => this.offences.push(`exception: ${error.message}`));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.offences.push(message.text());
    });
  }

  /** Redeems a new sign-in link with a password. */
  async redeem(email = this.email, role: 'owner' | 'operator' = 'owner'): Promise<void> {
    await this.page.goto(`/studio/link/${await newLink(this.#service, { role })}`);
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password').fill(PASSWORD);
    await this.page.getByRole('button', { name: 'Continue' }).click();
    await this.page.getByRole('heading', { name: 'Your first document' }).waitFor();
  }

  /** Sends a request of the public API with the session of the page. */
  async api<T>(method: string, path: string, body?: unknown): Promise<T> {
    return this.page.evaluate(
      async ([verb, url, text]) => {
        const answer = await fetch(url ?? '', {
          method: verb ?? 'GET',
          ...(text !== null && { body: text ?? '', headers: { 'content-type': 'application/json' } }),
        });
        if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
        return answer.status === 204 ? null : answer.json();
      },
      [method, path, body === undefined ? null : JSON.stringify(body)],
    ) as Promise<T>;
  }

  /** Copies a starter into the account. Returns the id of the template. */
  async cloneStarter(slug: string): Promise<string> {
    return (await this.api<{ id: string }>('POST', `/v1/starter-templates/${slug}/clone`)).id;
  }

  /** Waits for the transitions of the page, which change colours, and lists its violations of WCAG 2.2 AA. */
  async violations(): Promise<Violation[]> {
    await this.page.evaluate(async () => {
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    });
    return findViolations(this.page);
  }

  /** Tells whether the page is wider than its window. */
  async overflows(): Promise<boolean> {
    return this.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  }
}
