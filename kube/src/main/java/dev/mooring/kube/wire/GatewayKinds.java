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

  static ReferenceGrant decodeGrant(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    List<ReferenceGrant.From> sources = new ArrayList<>();
    List<ReferenceGrant.To> targets = new ArrayList<>();
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.NOTHING);
        case KubeObject.SPEC -> readSpec(in, sources, targets);
        default -> in.skip();
      }
    }
    return new ReferenceGrant(meta, sources, targets);
  }

  private static void readSpec(
      WireReader in, List<ReferenceGrant.From> sources, List<ReferenceGrant.To> targets)
      throws IOException {
    for (int field = in.open(GrantSpec.ALL); field != 0; field = in.next(GrantSpec.ALL)) {
      Peer peer = readPeer(in);
      if (field == GrantSpec.FROM) {
        sources.add(new ReferenceGrant.From(peer.group(), peer.kind(), peer.namespace()));
      } else {
        targets.add(new ReferenceGrant.To(peer.group(), peer.kind(), peer.name()));
      }
    }
  }

  private static Peer readPeer(WireReader in) throws IOException {
    String group = "";
    String kind = "";
    String namespace = "";
    String name = "";
    for (int field = in.open(PeerFields.ALL); field != 0; field = in.next(PeerFields.ALL)) {
      switch (field) {
        case PeerFields.GROUP -> group = in.readText();
        case PeerFields.KIND -> kind = in.readText();
        case PeerFields.NAMESPACE -> namespace = in.readText();
        case PeerFields.NAME -> name = in.readText();
        default -> in.skip();
      }
    }
    return new Peer(group, kind, namespace, name);
  }
}
