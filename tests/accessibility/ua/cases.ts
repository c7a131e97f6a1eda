import { annotationsCases } from './annotations.ts';
import { languageCases } from './language.ts';
import { metadataCases } from './metadata.ts';
import { structureCases } from './structure.ts';

/** For each rule that software can check, files that break it and files that follow it. */
export const uaCases = [...metadataCases, ...languageCases, ...structureCases, ...annotationsCases];
