package dev.mooring.kube.wire;

import dev.mooring.kube.wire.WireReader.Fields;
import dev.mooring.model.Meta;
import dev.mooring.model.ReferenceGrant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

final class GatewayKinds {
  private static final class GrantSpec {
    static final int FROM = 1;
    static final int TO = 2;
    static final Fields ALL = Fields.of(FROM, "from").and(TO, "to");
  }

  private static final class PeerFields {
    static final int GROUP = 1;
    static final int KIND = 2;
    static final int NAMESPACE = 3;
    static final int NAME = 4;
    static final Fields ALL =
        Fields.of(GROUP, "group").and(KIND, "kind").and(NAMESPACE, "namespace").and(NAME, "name");
  }

  private record Peer(String group, String kind, String namespace, String name) {}

  private GatewayKinds() {}

  static ReferenceGrant grant(WireReader in) throws IOException {
    Meta meta = MetaDecoder.none();
    List<ReferenceGrant.From> from = new ArrayList<>();
    List<ReferenceGrant.To> to = new ArrayList<>();
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.read(in, RetainedFields.NOTHING);
        case KubeObject.SPEC -> spec(in, from, to);
        default -> in.skip();
      }
    }
    return new ReferenceGrant(meta, from, to);
  }

  private static void spec(
      WireReader in, List<ReferenceGrant.From> from, List<ReferenceGrant.To> to)
      throws IOException {
    for (int field = in.open(GrantSpec.ALL); field != 0; field = in.next(GrantSpec.ALL)) {
      Peer peer = peer(in);
      if (field == GrantSpec.FROM) {
        from.add(new ReferenceGrant.From(peer.group(), peer.kind(), peer.namespace()));
      } else {
        to.add(new ReferenceGrant.To(peer.group(), peer.kind(), peer.name()));
      }
    }
  }

  private static Peer peer(WireReader in) throws IOException {
    String group = "";
    String kind = "";
    String namespace = "";
    String name = "";
    for (int field = in.open(PeerFields.ALL); field != 0; field = in.next(PeerFields.ALL)) {
      switch (field) {
        case PeerFields.GROUP -> group = in.text();
        case PeerFields.KIND -> kind = in.text();
        case PeerFields.NAMESPACE -> namespace = in.text();
        case PeerFields.NAME -> name = in.text();
        default -> in.skip();
      }
    }
    return new Peer(group, kind, namespace, name);
  }
}
