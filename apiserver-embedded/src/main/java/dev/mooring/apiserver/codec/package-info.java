/**
 * Encodings: the schema of the API, JSON, YAML and protobuf in both directions, canonical
 * quantities and times.
 */
@NullMarked
package dev.mooring.apiserver.codec;

import org.jspecify.annotations.NullMarked;
