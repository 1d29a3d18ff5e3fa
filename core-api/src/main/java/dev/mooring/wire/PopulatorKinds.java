package dev.mooring.wire;

import dev.mooring.model.VolumePopulator;
import dev.mooring.wire.MessageFields.ObjectDraft;
import java.io.IOException;

final class PopulatorKinds {
  private static final class PopulatorDraft extends ObjectDraft {
    static final MessageFields<PopulatorDraft> SOURCE_KIND =
        MessageFields.of(PopulatorDraft::new)
            .with(1, "group", (d, in) -> d.group = in.readText())
            .with(2, "kind", (d, in) -> d.kind = in.readText());

    static final MessageFields<PopulatorDraft> MESSAGE =
        MessageFields.ofObject(PopulatorDraft::new, RetainedFields.NOTHING)
            .with(2, "sourceKind", SOURCE_KIND::readInto);

    String group = "";
    String kind = "";
  }

  private PopulatorKinds() {}

  static VolumePopulator decodePopulator(WireReader in) throws IOException {
    PopulatorDraft draft = PopulatorDraft.MESSAGE.readOpen(in);
    return new VolumePopulator(draft.meta, draft.group, draft.kind);
  }
}
