import type { Account, Accounts } from '../accounts/accounts.ts';
import { AppError } from '../errors.ts';

/** Finds the account of `Authorization: Bearer <key>`. @throws {AppError} UNAUTHORIZED, saying what is wrong with the header. */
export async function authenticate(accounts: Accounts, request: Request): Promise<Account> {
  const header = request.headers.get('authorization');
  if (header === null) throw unauthorized('the header Authorization: Bearer <API key> is missing');
  const [scheme, key, ...rest] = header.trim().split(/ +/);
  if (scheme?.toLowerCase() !== 'bearer' || !key || rest.length > 0) {
    throw unauthorized('the Authorization header must be: Bearer <API key>');
  }
  const account = await accounts.authenticate(key);
  if (!account) throw unauthorized('the API key is not valid');
  return account;
}

function unauthorized(message: string): AppError {
  return new AppError('UNAUTHORIZED', message);
}
