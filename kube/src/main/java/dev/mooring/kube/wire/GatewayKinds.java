package dev.mooring.kube.wire;

import dev.mooring.kube.wire.Wire.Fields;
import dev.mooring.model.Meta;
import dev.mooring.model.ReferenceGrant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The kinds of gateway.networking.k8s.io. Custom resources: they come as JSON only. */
final class GatewayKinds {
  private static final Fields OBJECT = Fields.of(1, "metadata").and(2, "spec");
  private static final Fields SPEC = Fields.of(1, "from").and(2, "to");
  private static final Fields PEER =
      Fields.of(1, "group").and(2, "kind").and(3, "namespace").and(4, "name");

  /** Either side of a grant. */
  private record Peer(String group, String kind, String namespace, String name) {}

  private GatewayKinds() {}

  static ReferenceGrant grant(Wire in) throws IOException {
    Meta meta = Metas.none();
    List<ReferenceGrant.From> from = new ArrayList<>();
    List<ReferenceGrant.To> to = new ArrayList<>();
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.NOTHING);
        case 2 -> spec(in, from, to);
        default -> in.skip();
      }
    }
    return new ReferenceGrant(meta, from, to);
  }

  private static void spec(Wire in, List<ReferenceGrant.From> from, List<ReferenceGrant.To> to)
      throws IOException {
    for (int field = in.open(SPEC); field != 0; field = in.next(SPEC)) {
      Peer peer = peer(in);
      if (field == 1) {
        from.add(new ReferenceGrant.From(peer.group(), peer.kind(), peer.namespace()));
      } else {
        to.add(new ReferenceGrant.To(peer.group(), peer.kind(), peer.name()));
      }
    }
  }

  private static Peer peer(Wire in) throws IOException {
    String group = "";
    String kind = "";
    String namespace = "";
    String name = "";
    for (int field = in.open(PEER); field != 0; field = in.next(PEER)) {
      switch (field) {
        case 1 -> group = in.text();
        case 2 -> kind = in.text();
        case 3 -> namespace = in.text();
        case 4 -> name = in.text();
        default -> in.skip();
      }
    }
    return new Peer(group, kind, namespace, name);
  }
}
