/**
 * Bodies to records. A decoder is written once, against {@link dev.mooring.kube.wire.Wire}, and
 * reads protobuf and JSON alike: both forms give the same record because the same code reads them.
 * Unknown fields are skipped in both.
 *
 * <p>Each message has a class of constants, one per field that is read: the field's number in
 * protobuf, under Kubernetes' name. A table there gives each its name in JSON. The number stands
 * nowhere else, so that it is compared with Kubernetes' own in one place. The class is called as
 * the message is, or as what it is about; where a record has that name, Fields stands behind it.
 */
@NullMarked
package dev.mooring.kube.wire;

import org.jspecify.annotations.NullMarked;
