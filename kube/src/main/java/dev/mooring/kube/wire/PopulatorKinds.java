package dev.mooring.kube.wire;

import dev.mooring.kube.wire.WireReader.Fields;
import dev.mooring.model.Meta;
import dev.mooring.model.VolumePopulator;
import java.io.IOException;

final class PopulatorKinds {
  private static final class Populator {
    static final int METADATA = 1;
    static final int SOURCE_KIND = 2;
    static final Fields ALL = Fields.of(METADATA, "metadata").and(SOURCE_KIND, "sourceKind");
  }

  private static final class GroupKind {
    static final int GROUP = 1;
    static final int KIND = 2;
    static final Fields ALL = Fields.of(GROUP, "group").and(KIND, "kind");
  }

  private PopulatorKinds() {}

  static VolumePopulator decodePopulator(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    String sourceGroup = "";
    String sourceKind = "";
    for (int field = in.next(Populator.ALL); field != 0; field = in.next(Populator.ALL)) {
      switch (field) {
        case Populator.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.NOTHING);
        case Populator.SOURCE_KIND -> {
          for (int f = in.open(GroupKind.ALL); f != 0; f = in.next(GroupKind.ALL)) {
            switch (f) {
              case GroupKind.GROUP -> sourceGroup = in.readText();
              case GroupKind.KIND -> sourceKind = in.readText();
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new VolumePopulator(meta, sourceGroup, sourceKind);
  }
}
