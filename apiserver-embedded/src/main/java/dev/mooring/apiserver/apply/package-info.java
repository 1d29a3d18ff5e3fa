/**
 * Who owns which field: the sets in managedFields, and the merge of an apply that respects them.
 */
@NullMarked
package dev.mooring.apiserver.apply;

import org.jspecify.annotations.NullMarked;
