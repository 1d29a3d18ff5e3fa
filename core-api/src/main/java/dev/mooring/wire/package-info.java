/**
 * Decoders from objects to records. Each decoder is written once against {@link
 * dev.mooring.wire.WireReader} and reads protobuf, JSON and trees, so all yield the same record.
 * Unknown fields are skipped.
 *
 * <p>A {@code MessageFields} is a table of the fields of a message: the protobuf number, the JSON
 * name, and how the value is read into a draft. Most decoded objects are metadata and pods; their
 * decoders read fields into local variables instead, with one constant per field.
 */
@NullMarked
package dev.mooring.wire;

import org.jspecify.annotations.NullMarked;
