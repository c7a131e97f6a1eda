import type { AssetResponse } from './schemas.ts';

/** A PNG of one red pixel. */
export const samplePng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** Example bodies of `POST /v1/assets`; a test sends them. */
export const uploadExamples = {
  image: { name: 'logo.png', data: samplePng },
  'style sheet': {
    name: 'brand.css',
    data: Buffer.from('h1 { color: #0a5; font-family: "Acme Sans" }').toString('base64'),
  },
};

export const assetExample: AssetResponse = {
  name: 'logo.png',
  type: 'image/png',
  file_size: 4_812,
  font: null,
  created_at: '2026-11-22T09:30:00.000Z',
  updated_at: '2026-11-22T09:30:00.000Z',
  url: 'https://pdf.example.com/files/asset_png_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
};

export const fontExample: AssetResponse = {
  ...assetExample,
  name: 'acme-sans.woff2',
  type: 'font/woff2',
  file_size: 48_120,
  font: { family: 'Acme Sans', weight: '400', style: 'normal' },
  url: 'https://pdf.example.com/files/asset_woff2_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
};
