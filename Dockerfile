# Platen with its browser and fonts. docs/deploy.md lists the settings that the container engine needs.

FROM node:24-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/einvoice/package.json packages/einvoice/
COPY packages/office-templates/package.json packages/office-templates/
COPY packages/pdf/package.json packages/pdf/
COPY packages/pdf-standards/package.json packages/pdf-standards/
COPY packages/runtime/package.json packages/runtime/
COPY packages/signatures/package.json packages/signatures/
COPY packages/templates/package.json packages/templates/
COPY packages/xml/package.json packages/xml/
COPY scripts ./scripts
COPY plugins/render/browser/find-chromium.mjs plugins/render/browser/
RUN node scripts/install.mjs image-packages

FROM debian:trixie-slim
WORKDIR /app
ENV PATH=/app/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
COPY --from=packages /app/node_modules ./node_modules
COPY scripts ./scripts
COPY plugins/render/browser/find-chromium.mjs plugins/render/browser/
# `docker build --build-arg WITH_OFFICE=1` adds LibreOffice, for office documents.
ARG WITH_OFFICE=0
RUN bun scripts/install.mjs image-system
RUN useradd --uid 1000 --create-home platen \
  && install --directory --owner=platen --group=platen --mode=0700 /data \
  && ln -s /app/src/cli.ts /usr/local/bin/platen \
  && ln -s /app/bin/wkhtmltopdf /usr/local/bin/wkhtmltopdf
COPY . .
RUN bun scripts/install.mjs studio

# Chromium's own sandbox works only for a user who is not root.
USER 1000
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
# Checks liveness, not readiness: replacing the container does not help when the database is unavailable. Balancers use /readyz.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["bun", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "platen"]
CMD ["serve"]
