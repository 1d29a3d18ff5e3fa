/**
 * Decoders from bodies to records. Each decoder is written once against {@link
 * dev.mooring.kube.wire.WireReader} and reads protobuf and JSON, so both yield the same record.
 * Unknown fields are skipped.
 *
 * <p>Each message has a class with one constant per decoded field: the protobuf number under
 * Kubernetes' name. A table in the class adds the JSON names. Numbers occur nowhere else, so a test
 * can compare them with Kubernetes' own. The class has the message's name or that of its subject,
 * with the suffix Fields if a record has that name.
 */
@NullMarked
package dev.mooring.kube.wire;

import org.jspecify.annotations.NullMarked;
