/**
 * Bodies to records. A decoder is written once, against {@link dev.mooring.kube.wire.Wire}, and
 * reads protobuf and JSON alike: both forms give the same record because the same code reads them.
 * Unknown fields are skipped in both.
 */
@NullMarked
package dev.mooring.kube.wire;

import org.jspecify.annotations.NullMarked;
