import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENVIRONMENT } from './command.ts';
import { MISSING_OFFICE, type Installation } from './installation.ts';

/** Settings of LibreOffice: paths of the configuration, names and values. Versions ignore unknown ones. */
const SETTINGS: readonly (readonly [path: string, name: string, value: boolean | number | string])[] = [
  ['Office.Common/Security/Scripting', 'DisableMacrosExecution', true],
  // 3 is "very high": only macros from trusted locations, of which there are none.
  ['Office.Common/Security/Scripting', 'MacroSecurityLevel', 3],
  ['Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', true],
  ['Office.Common/Security/Scripting', 'DisableActiveContent', true],
  ['Office.Common/Security/Scripting', 'CheckDocumentEvents', true],
  ['Office.Common/Misc', 'FirstRun', false],
  ['Office.Common/Misc', 'PluginsEnabled', false],
  ['Office.Common/Misc', 'CrashReport', false],
  ['Office.Common/Misc', 'UseLocking', false],
  ['Office.Common/Save/Document', 'AutoSave', false],
  ['Office.Common/Save/Document', 'CreateBackup', false],
  ['Office.Common/History', 'PickListSize', 0],
  ['Office.Common/Cache/GraphicManager', 'TotalCacheSize', 100_000_000],
  ['Office.Recovery/AutoSave', 'Enabled', false],
  ['Office.Recovery/RecoveryInfo', 'Enabled', false],
  // Never, which is 1 in Calc and 0 in Writer.
  ['Office.Calc/Content/Update', 'Link', 1],
  ['Office.Writer/Content/Update', 'Link', 0],
  ['Office.Java/VirtualMachine', 'Enable', false],
  // LibreOffice tests its own drawing for 0.7 s in each start after an older version. A profile that no run
  // has saved counts as that of version 0.
  ['Setup/Product', 'ooSetupLastVersion', '999.0'],
];
const DRIVER = new URL('./driver.bas', import.meta.url);
const START_LIMIT_MS = 60_000;

/**
 * Creates the profile that every process copies: LibreOffice's own files, the locked settings and the driver.
 * LibreOffice creates the files of a new profile in its first run.
 * @throws {Error} if LibreOffice does not start
 */
export async function createProfile({ programs }: Installation, folder: string): Promise<void> {
  await mkdir(join(folder, 'user'), { recursive: true });
  await writeFile(join(folder, 'user', 'registrymodifications.xcu'), settingsXml());
  const command = [
    `${programs}/soffice.bin`,
    `-env:UserInstallation=file://${folder}`,
    '--headless',
    '--norestore',
    '--nologo',
    '--terminate_after_init',
  ];
  const child = Bun.spawn(command, {
    env: { ...ENVIRONMENT, HOME: folder },
    cwd: '/',
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: START_LIMIT_MS,
  });
  const errors = (await new Response(child.stderr).text()).trim();
  // 81 asks for a restart, because the profile is new.
  if (![0, 81].includes(await child.exited))
    throw new Error(`${MISSING_OFFICE}; this one does not start: ${errors.slice(-500)}`);
  await writeDriver(join(folder, 'user', 'basic'));
  await makeReadable(folder);
}

/** Lets the user of the processes read the profile, which has no secrets. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

async function writeDriver(folder: string): Promise<void> {
  const source = escapeXml(await readFile(DRIVER, 'utf8'));
  const library = join(folder, 'Standard');
  await mkdir(library, { recursive: true });
  await writeFile(
    join(library, 'script.xlb'),
    `${xmlHead('library:library', 'library')}<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Platen"/></library:library>`,
  );
  await writeFile(
    join(library, 'Platen.xba'),
    `${xmlHead('script:module', 'module')}<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Platen" script:language="StarBasic">${source}</script:module>`,
  );
}

function xmlHead(root: string, type: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE ${root} PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "${type}.dtd">\n`;
}

function settingsXml(): string {
  const items = SETTINGS.map(
    ([path, name, value]) =>
      `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n${items.join('\n')}\n</oor:items>\n`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
