import type { CertificateResponse } from './schemas.ts';

export const certificateExample: CertificateResponse = {
  id: 'cert_9aB8cD7eF6gH5iJ4kL3mN2oP',
  name: 'Contracts 2026',
  subject: 'CN=Ada Lovelace, O=Analytical Engines, C=GB',
  issuer: 'CN=Example CA, O=Example, C=GB',
  not_before: '2026-01-01T00:00:00.000Z',
  not_after: '2029-01-01T00:00:00.000Z',
  key_type: 'RSA 3072',
  created_at: '2026-11-22T09:30:00.000Z',
};

/** A PKCS#12 file with a self-signed certificate. Its key is public, so use it only for tests. */
const samplePkcs12 =
  'MIIELAIBAzCCA+IGCSqGSIb3DQEHAaCCA9MEggPPMIIDyzCCAoIGCSqGSIb3DQEHBqCCAnMwggJvAgEAMIICaAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiLV2WFPlnPcgICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEOLreoYfNOdVtyRZh+kDwpeAggIApS2X8NQyF2H93/YzyJf8mtSZTXtE+rBv3UqZ6S0JSBXobuGRGeS4smHJ51WoZXn4DrhPyafqI+irQFOMTisAhLz1AcGtjExjvqjlmUuPwV2cWb2Oz3VXuoiVsdKRkCb8OsTkkOiXjHtTzHVC/TvqZDPlHZCBELQncSTgQnG6F0lxItFEbZrnD1nD2/cAAi0CEPENOwwz8uTXm5SUFyAAF8n77ZXjN2BgTj110VOVWrXoRzLTy697bxNpz4UslQEwNWD6qfp4C0m0K6M5zn32JV51nbOHimaxv+/P5atKu+HLBjntz6U8qxzjMnUSZ/AU99fZdvOtS4nC5xWMn8fgvulD8hmCK18JPELSLiy4A3wruQXjqwqI96kxHw9AT14+vfy0ypsbzYHBMeUpgjQV1Shx0nv4beNCH+FJrk4OaC/eS5aUttjF19O0nQHu0dVrVGPDcjICJ25lXVQ0rW8KAWVvUanNHJK+AFU1qLk/PBJ3n+lkfSyEzmZMooURuieItCboHvAtkAS796nlcUHHCen6Qmjesn8LRqFXaKhY7PVX8NpZKrnQwFei++De6uJMF44UfBWfp4vZgz7mWy0qipk7i8RBVe4U4o3ExP6wTlTuHEIcrJwj5MxQi4I5KmGTAsLnJwWcsdsuEAwrQdFZwLm3PIuTfBo8GGwRVRgENDwwggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASowggEmBgsqhkiG9w0BDAoBAqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIAB3bjGaCeCcCAggAMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBAXNPoF91bhJRqL7lKtrlayBIGQVEPKz3IAt6XNuCPpOlExbuO6qNLxwdGLGISQ0FskA+A4Nqzn/CbwlDTPaLN4se3X3IACPqEMfwyM3jo09XrywSzizH+ZJr3xmz0IHhIpr5wo6aIE0BcL7YUjNTdwWgAbgFCEZJS8BYboL0aoXCFDwynV3aPMBwYRTI5JWmhx5XvxO/jIqrqCqowlDzIrZYVXMSUwIwYJKoZIhvcNAQkVMRYEFC0Z8Z3kXe8S1r+daCnkiL60n1x0MEEwMTANBglghkgBZQMEAgEFAAQgZVuZ9sttfS6LwhQtO70/Kp23QEqhZms2BBE6BqoFyA0ECN+HjcpiF79UAgIIAA==';

/** Example bodies of `POST /v1/certificates`; a test sends them. */
export const uploadExamples = {
  'a test certificate': { name: 'For tests', pkcs12: samplePkcs12, password: 'example' },
};
