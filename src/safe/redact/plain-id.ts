/**
 * Ids in the forms that agents give them. They are new with each call, and looking for secrets in each would
 * cost more than its record.
 */

export function isPlainId(id: string): boolean {
  return plainId.test(id);
}

/** A UUID, random letters behind a word that no key begins with, or a short number behind a short word. */
const plainId =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:toolu|call)_[A-Za-z0-9]{1,40}|[a-z]{0,5}-?[0-9]{1,8})$/;
