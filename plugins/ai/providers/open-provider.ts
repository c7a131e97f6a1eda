import type { EgressGuard } from '../../../src/plugin.ts';
import type { ProviderSettings } from '../settings.ts';
import { createAnthropic } from './anthropic.ts';
import { createOpenAi } from './openai.ts';
import type { Provider } from './provider.ts';

/** Makes the provider that the settings name; its requests leave by the guard. */
export function openProvider(settings: ProviderSettings, egress: EgressGuard): Provider {
  switch (settings.kind) {
    case 'openai':
      return createOpenAi(settings, egress);
    case 'anthropic':
      return createAnthropic(settings, egress);
  }
}
