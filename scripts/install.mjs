// Installs and ends, by the functions of `npm start`: what that needs (`machine`), or a step of the image (the others; see Dockerfile).
// `image-packages` needs npm; `image-system` needs root and apt-get, and runs under Bun too.
import {
  ensureBrowser,
  ensureDependencies,
  installImagePackages,
  installProductionDependencies,
} from './setup.mjs';

const step = process.argv[2];
if (step === 'machine') {
  ensureDependencies();
  ensureBrowser();
} else if (step === 'image-packages') installProductionDependencies();
else if (step === 'image-system') installImagePackages();
else {
  console.error('usage: node scripts/install.mjs machine | image-packages | image-system');
  process.exit(2);
}
