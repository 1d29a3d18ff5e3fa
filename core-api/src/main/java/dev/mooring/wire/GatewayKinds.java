package dev.mooring.wire;

import dev.mooring.model.ReferenceGrant;
import dev.mooring.wire.MessageFields.ObjectDraft;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

final class GatewayKinds {
  private static final class PeerDraft {
    static final MessageFields<PeerDraft> MESSAGE =
        MessageFields.of(PeerDraft::new)
            .with(1, "group", (d, in) -> d.group = in.readText())
            .with(2, "kind", (d, in) -> d.kind = in.readText())
            .with(3, "namespace", (d, in) -> d.namespace = in.readText())
            .with(4, "name", (d, in) -> d.name = in.readText());

    String group = "";
    String kind = "";
    String namespace = "";
    String name = "";

    ReferenceGrant.From toSource() {
      return new ReferenceGrant.From(group, kind, namespace);
    }

    ReferenceGrant.To toTarget() {
      return new ReferenceGrant.To(group, kind, name);
    }
  }

  private static final class GrantDraft extends ObjectDraft {
    static final MessageFields<GrantDraft> SPEC =
        MessageFields.of(GrantDraft::new)
            .with(1, "from", (d, in) -> d.sources.add(PeerDraft.MESSAGE.read(in).toSource()))
            .with(2, "to", (d, in) -> d.targets.add(PeerDraft.MESSAGE.read(in).toTarget()));

    static final MessageFields<GrantDraft> MESSAGE =
        MessageFields.ofObject(GrantDraft::new, RetainedFields.NOTHING)
            .with(2, "spec", SPEC::readInto);

    final List<ReferenceGrant.From> sources = new ArrayList<>();
    final List<ReferenceGrant.To> targets = new ArrayList<>();
  }

  private GatewayKinds() {}

  static ReferenceGrant decodeGrant(WireReader in) throws IOException {
    GrantDraft draft = GrantDraft.MESSAGE.readOpen(in);
    return new ReferenceGrant(draft.meta, draft.sources, draft.targets);
  }
}
