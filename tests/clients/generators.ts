import { join } from 'node:path';
import {
  installOapiCodegen,
  installOpenapiGenerator,
  installPythonClient,
  VERSIONS,
} from '../../scripts/servers/client-generators.mjs';
import { toolPath } from '../../scripts/setup.mjs';

const root = join(import.meta.dir, '..', '..');
const document = join(root, 'docs', 'openapi.sdk.json');

/** A generator of clients. The commands run in the folder of a program that uses the client. */
export interface Generator {
  name: string;
  /** The program in `docs/clients`. */
  program: string;
  /** The text that the program does not print, because the client cannot read the value. */
  omitted?: string;
  /**
   * Installs the generator if it is missing.
   * @throws {ServerMissingError} when it cannot be installed
   */
  install(): Commands;
}

export interface Commands {
  /** Other files of the program. */
  files?: Record<string, string>;
  /** Generates the client. */
  generate: readonly string[];
  /** Compiles the whole client and the program, or checks their types. */
  check: readonly (readonly string[])[];
  run: readonly string[];
}

/** Checks the types of the program and of the client. */
const TSCONFIG = {
  compilerOptions: {
    target: 'ESNext',
    module: 'Preserve',
    moduleResolution: 'bundler',
    lib: ['ESNext', 'DOM', 'DOM.Iterable'],
    typeRoots: [join(root, 'node_modules', '@types')],
    types: ['node'],
    noEmit: true,
    strict: true,
  },
};

/** Parses every file, and loads every class. */
const LOAD_CLASSES = `
require 'GuzzleHttp/autoload.php';
spl_autoload_register(fn ($class) => require 'platen/lib/' . strtr(substr($class, 7), '\\\\', '/') . '.php');
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('platen/lib')) as $path => $file)
  if ($file->isFile()) require_once $path;
`;

export const generators: readonly Generator[] = [
  {
    name: 'hey-api',
    program: 'main.ts',
    install: () => ({
      files: { 'tsconfig.json': JSON.stringify(TSCONFIG) },
      generate: ['node', toolPath('openapi-ts'), '--input', document, '--output', 'platen'],
      check: [[join(root, 'node_modules', '.bin', 'tsc'), '--project', '.']],
      run: [join(root, 'node_modules', '.bin', 'bun'), 'main.ts'],
    }),
  },
  {
    name: 'openapi-python-client',
    program: 'main.py',
    install: () => {
      const python = installPythonClient();
      const options = ['--path', document, '--meta', 'none', '--output-path', 'platen', '--fail-on-warning'];
      return {
        generate: [python, '-m', 'openapi_python_client', 'generate', ...options, '--config', 'config.yaml'],
        // Without it, the generator formats the client with ruff.
        files: { 'config.yaml': 'post_hooks: []\n' },
        check: [
          [python, '-m', 'compileall', '-q', 'platen'],
          [python, '-m', 'mypy', 'main.py'],
        ],
        run: [python, 'main.py'],
      };
    },
  },
  {
    name: 'oapi-codegen',
    program: 'main.go',
    install: () => {
      const options = [
        '-generate',
        'types,client,skip-prune',
        '-package',
        'platen',
        '-o',
        'platen/platen.go',
      ];
      return {
        files: {
          'go.mod': `module example.com/client\n\ngo 1.26\n\nrequire github.com/oapi-codegen/runtime ${VERSIONS.oapiRuntime}\n`,
          'platen/README.md': 'The generated client.\n',
        },
        generate: [installOapiCodegen(), ...options, document],
        check: [['go', 'build', '-mod=mod', '-o', 'main', '.']],
        run: ['./main'],
      };
    },
  },
  {
    name: 'openapi-generator',
    program: 'main.php',
    omitted: ' with margin 20',
    install: () => ({
      generate: [
        ...installOpenapiGenerator(),
        'generate',
        '--generator-name',
        'php',
        '--input-spec',
        document,
        '--output',
        'platen',
        '--additional-properties=invokerPackage=Platen',
      ],
      check: [['php', '-d', 'display_errors=1', '-r', LOAD_CLASSES]],
      run: ['php', '-d', 'zend.assertions=1', 'main.php'],
    }),
  },
];
