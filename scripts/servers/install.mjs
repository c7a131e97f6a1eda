// Installs the programs that the tests of a suite run, before the time limits of the tests begin.
// `node scripts/servers/install.mjs thorough` does it in a process of its own.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @type {Readonly<Record<string, Readonly<Record<string, () => Promise<unknown>>>>>} */
const PROGRAMS = {
  servers: {
    MongoDB: async () => (await import('./mongo.mjs')).installMongo(),
    S3: async () => process.env.S3_TEST_ENDPOINT || (await import('./s3.mjs')).installS3Server(),
  },
  thorough: {
    veraPDF: async () => (await import('./verapdf.mjs')).installVeraPdf(),
    Mustang: async () => (await import('./mustang.mjs')).installMustang(),
    PDFBox: async () => (await import('./pdfbox.mjs')).installPdfBox(),
    pyHanko: async () => (await import('./pyhanko.mjs')).installPyHanko(),
    pdfkit: async () => (await import('./pdfkit.mjs')).installPdfKit(),
    LibreOffice: async () => (await import('../setup.mjs')).ensureOffice(),
    'office samples': async () => (await import('./office-samples.mjs')).installOfficeSamples(),
    PHP: async () => (await import('../setup.mjs')).ensurePhp(),
    Deno: async () => (await import('./deno.mjs')).installDeno(),
    'openapi-python-client': async () => (await import('./client-generators.mjs')).installPythonClient(),
    'oapi-codegen': async () => (await import('./client-generators.mjs')).installOapiCodegen(),
    chromiumly: async () => (await import('./gotenberg-clients.mjs')).installChromiumly(),
    'gotenberg-client': async () => (await import('./gotenberg-clients.mjs')).installGotenbergClient(),
    'openapi-generator': async () => (await import('./client-generators.mjs')).installOpenapiGenerator(),
  },
};

/**
 * Installs the missing programs of a suite. Tests whose program cannot be installed report that they are
 * skipped.
 * @param {string} suite
 */
export async function installProgramsOf(suite) {
  for (const [name, install] of Object.entries(PROGRAMS[suite] ?? {})) {
    console.log(`platen setup: preparing ${name} for the tests`);
    try {
      await install();
    } catch (error) {
      console.log(`platen setup: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/**
 * Installs the missing programs of a suite in another process while this one works, because most of the time
 * is spent waiting for downloads. Resolves when it ends.
 * @param {string} suite
 * @returns {Promise<void>}
 */
export async function installInBackground(suite) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), suite], { stdio: 'inherit' });
  await new Promise((resolve) => child.on('close', resolve));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await installProgramsOf(process.argv[2] ?? '');
