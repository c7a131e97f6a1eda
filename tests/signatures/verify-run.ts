import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPython } from './python.ts';
import { pagesPdf } from '../api/pdf-samples.ts';
import { freePort } from '../support/process.ts';
import { TestService } from '../support/service.ts';

// `npm run signatures:verify`: certomancer serves a test PKI, pyHanko signs PDFs with it, and the service, pyHanko and pdfsig verify them.

const script = join(import.meta.dir, 'pki.py');
