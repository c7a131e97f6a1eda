/** An example response of the key test. */
export const authExample = { authenticated: true, email: 'ann@example.com', plan: 'pro' };

export const newGenerationExample = {
  id: 'gen_4fG7hJ2kL9mN1pQ3rS5tU8vW',
  template_id: 'tmpl_9aB8cD7eF6gH5iJ4kL3mN2oP',
  input_type: 'template',
  content_type: 'application/pdf',
  status: 'completed',
  url: 'https://pdf.example.com/files/file_9aB8cD7eF6gH5iJ4kL3mN2oP?expires=1798761600&signature=…',
  pages: 1,
  file_size: 18_342,
  generation_time_ms: 41,
  error: null,
  created_at: '2026-11-21T09:30:00.000Z',
  file_name: null,
  reference: 'order-4711',
  metadata: {},
  expires_at: null,
};

export const newTemplateExample = {
  id: 'tmpl_9aB8cD7eF6gH5iJ4kL3mN2oP',
  name: 'Invoice',
  version: 3,
  is_public: false,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

/** Example bodies of the action for the documentation; a test sends the first. */
export const actionExamples = {
  html: {
    html: '<h1>Hello {{name}}</h1>',
    data: { name: 'Ada' },
    format: 'Letter',
    orientation: 'landscape',
  },
  'a stored template': {
    template_id: 'tmpl_9aB8cD7eF6gH5iJ4kL3mN2oP',
    data: { number: '2026-118' },
  },
};

export const actionExample = {
  id: newGenerationExample.id,
  url: newGenerationExample.url,
  pages: 1,
  file_size: 18_342,
};
