import type { EgressGuard } from '../../../src/plugin.ts';
import type { ProviderSettings } from '../settings.ts';
import { createAnthropic } from './anthropic.ts';
import { createOpenAi } from './openai.ts';
import type { Provider } from './provider.ts';

/** Creates the provider that the settings name. Its requests go through the egress guard. */
export function openProvider(settings: ProviderSettings, egress: EgressGuard): Provider {
  switch (settings.kind) {
    case 'openai':
      return createOpenAi(settings, egress);
    case 'anthropic':
      return createAnthropic(settings, egress);
  }
}
