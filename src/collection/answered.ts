import { conflict } from '../domain/money/errors.ts';
import { ProviderError } from './provider.ts';
import { unanswered } from './providers.ts';

/**
 * Answers of a provider for a caller of the API. Throws conflict `key_refused`, `provider_refused`, internal_error
 * `unavailable`.
 */
export async function answered<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'unreachable') throw unanswered();
    const reason = error.kind === 'key_refused' ? 'key_refused' : 'provider_refused';
    throw conflict(null, reason, `the payment provider refused: ${error.message}`);
  }
}
