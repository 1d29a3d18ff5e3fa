package dev.mooring.kube.wire;

import dev.mooring.kube.wire.WireReader.Fields;

final class KubeObject {
  static final int METADATA = 1;
  static final int SPEC = 2;
  static final int STATUS = 3;
  static final Fields ALL = Fields.of(METADATA, "metadata").and(SPEC, "spec").and(STATUS, "status");

  private KubeObject() {}
}
