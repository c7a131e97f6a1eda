// Installs what `npm start` needs (`service`), or also what tests and checks need (`machine`), or only
// bundles the studio (`studio`), or runs a step of the Dockerfile (`image-packages`, `image-system`).
// `image-packages` needs npm. `image-system` needs root and apt-get, and also runs under Bun.
import {
  ensureBrowser,
  ensureDependencies,
  ensureOffice,
  ensureStudio,
  installImagePackages,
  installProductionDependencies,
} from './setup.mjs';

const step = process.argv[2];
if (step === 'service' || step === 'machine') {
  ensureDependencies({ dev: step === 'machine' });
  ensureBrowser();
  if (process.env.WITH_OFFICE === '1') ensureOffice();
  ensureStudio();
} else if (step === 'studio') ensureStudio();
else if (step === 'image-packages') installProductionDependencies();
else if (step === 'image-system') installImagePackages();
else {
  console.error('usage: node scripts/install.mjs service | machine | studio | image-packages | image-system');
  process.exit(2);
}
