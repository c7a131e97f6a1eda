/** The predefined CMaps of ISO 32000-1 table 118, by character collection and supplement. */
const BY_COLLECTION: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  GB1: {
    0: 'GB-EUC-H GB-EUC-V GBpc-EUC-H GBpc-EUC-V',
    2: 'GBK-EUC-H GBK-EUC-V GBKp-EUC-H GBKp-EUC-V',
    4: 'UniGB-UCS2-H UniGB-UCS2-V GBK2K-H GBK2K-V UniGB-UTF16-H UniGB-UTF16-V',
  },
  CNS1: {
    0: 'B5pc-H B5pc-V ETen-B5-H ETen-B5-V ETenms-B5-H ETenms-B5-V CNS-EUC-H CNS-EUC-V',
    3: 'UniCNS-UCS2-H UniCNS-UCS2-V HKscs-B5-H HKscs-B5-V',
    4: 'UniCNS-UTF16-H UniCNS-UTF16-V',
  },
  Japan1: {
    1: '83pv-RKSJ-H 90pv-RKSJ-H Add-RKSJ-H Add-RKSJ-V EUC-H EUC-V H V',
    2: '90ms-RKSJ-H 90ms-RKSJ-V 90msp-RKSJ-H 90msp-RKSJ-V Ext-RKSJ-H Ext-RKSJ-V',
    4: 'UniJIS-UCS2-H UniJIS-UCS2-V UniJIS-UCS2-HW-H UniJIS-UCS2-HW-V',
    5: 'UniJIS-UTF16-H UniJIS-UTF16-V',
  },
  Korea1: {
    0: 'KSC-EUC-H KSC-EUC-V KSCpc-EUC-H',
    1: 'KSCms-UHC-H KSCms-UHC-V KSCms-UHC-HW-H KSCms-UHC-HW-V UniKS-UCS2-H UniKS-UCS2-V',
    2: 'UniKS-UTF16-H UniKS-UTF16-V',
  },
};

/** The supplements of the CMaps of table 118, by name. */
const SUPPLEMENTS: ReadonlyMap<string, number> = new Map(
  Object.values(BY_COLLECTION).flatMap((supplements) =>
    Object.entries(supplements).flatMap(([supplement, names]) =>
      names.split(' ').map((name) => [name, Number(supplement)] as const),
    ),
  ),
);

/**
 * Tells whether PDF/A allows a CMap that is not embedded. The CMap files of Adobe have more names than table
 * 118.
 */
export function isStandardCMap(name: string): boolean {
  return name === 'Identity-H' || name === 'Identity-V' || SUPPLEMENTS.has(name);
}

/**
 * Returns the supplement of the character collection of a predefined CMap; `undefined` for Identity and for
 * other names.
 */
export function supplementOf(name: string): number | undefined {
  return SUPPLEMENTS.get(name);
}
