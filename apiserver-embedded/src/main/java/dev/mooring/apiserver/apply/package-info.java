/** Server-side apply: the field sets in managedFields, and a merge that respects owners. */
@NullMarked
package dev.mooring.apiserver.apply;

import org.jspecify.annotations.NullMarked;
