package dev.mooring.wire;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Quantity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class ClaimStatusDecoder {
  private static final String STORAGE = "storage";

  private static final class HealthDraft {
    static final MessageFields<HealthDraft> MESSAGE =
        MessageFields.of(HealthDraft::new)
            .with(1, "status", (d, in) -> d.status = in.readSharedText())
            .with(2, "reason", (d, in) -> d.reason = in.readSharedText())
            .with(3, "message", (d, in) -> d.message = in.readText());

    String status = "";
    String reason = "";
    String message = "";

    Claim.HealthCondition toCondition() {
      return new Claim.HealthCondition(status, reason, message);
    }
  }

  private static final class ConditionDraft {
    static final MessageFields<ConditionDraft> MESSAGE =
        MessageFields.of(ConditionDraft::new)
            .with(1, "type", (d, in) -> d.type = in.readSharedText())
            .with(2, "status", (d, in) -> d.status = in.readSharedText())
            .with(3, "lastProbeTime", (d, in) -> d.probeTime = in.readSeconds())
            .with(4, "lastTransitionTime", (d, in) -> d.transitionTime = in.readSeconds())
            .with(5, "reason", (d, in) -> d.reason = in.readSharedText())
            .with(6, "message", (d, in) -> d.message = in.readText());

    String type = "";
    String status = "";
    String reason = "";
    String message = "";
    long probeTime;
    long transitionTime;

    Claim.Condition toCondition() {
      return new Claim.Condition(type, status, reason, message, probeTime, transitionTime);
    }
  }

  private static final class ModificationDraft {
    static final MessageFields<ModificationDraft> MESSAGE =
        MessageFields.of(ModificationDraft::new)
            .with(1, "targetVolumeAttributesClassName", (d, in) -> d.target = in.readSharedText())
            .with(2, "status", (d, in) -> d.state = in.readSharedText());

    String target = "";
    String state = "";

    Claim.Modification toModification() {
      return new Claim.Modification(target, state);
    }
  }

  private static final class StatusDraft {
    static final MessageFields<StatusDraft> HEALTH =
        MessageFields.of(StatusDraft::new)
            .with(
                1,
                "healthConditions",
                (d, in) -> d.health.add(HealthDraft.MESSAGE.read(in).toCondition()));

    static final MessageFields<StatusDraft> MESSAGE =
        MessageFields.of(StatusDraft::new)
            .with(1, "phase", (d, in) -> d.phase = ClaimPhase.of(in.readSharedText()))
            .with(2, "accessModes", (d, in) -> d.modes.add(in.readSharedText()))
            .with(3, "capacity", (d, in) -> in.readQuantities(d.capacity))
            .with(
                4,
                "conditions",
                (d, in) -> d.conditions.add(ConditionDraft.MESSAGE.read(in).toCondition()))
            .with(5, "allocatedResources", (d, in) -> in.readQuantities(d.allocated))
            .with(7, "allocatedResourceStatuses", (d, in) -> in.readStrings(d.resizeStates))
            .with(
                8,
                "currentVolumeAttributesClassName",
                (d, in) -> d.attributesClass = in.readSharedText())
            .with(
                9,
                "modifyVolumeStatus",
                (d, in) -> d.modification = ModificationDraft.MESSAGE.read(in).toModification())
            .with(10, "healthStatus", HEALTH::readInto);

    ClaimPhase phase = ClaimPhase.UNSET;
    final List<String> modes = new ArrayList<>();
    final Map<String, Quantity> capacity = new HashMap<>();
    final Map<String, Quantity> allocated = new HashMap<>();
    final Map<String, String> resizeStates = new HashMap<>();
    final List<Claim.Condition> conditions = new ArrayList<>();
    String attributesClass = "";
    Claim.Modification modification = Claim.Modification.NONE;
    final List<Claim.HealthCondition> health = new ArrayList<>();

    Claim.Resize resize() {
      return allocated.isEmpty() && resizeStates.isEmpty()
          ? Claim.Resize.NONE
          : new Claim.Resize(
              allocated.get(STORAGE), Claim.ResizeState.of(resizeStates.getOrDefault(STORAGE, "")));
    }
  }

  private ClaimStatusDecoder() {}

  static Claim.Status decode(WireReader in) throws IOException {
    StatusDraft draft = StatusDraft.MESSAGE.read(in);
    return new Claim.Status(
        draft.phase,
        WireReader.freeze(draft.modes),
        WireReader.freeze(draft.capacity),
        draft.attributesClass,
        draft.modification,
        draft.resize(),
        WireReader.freeze(draft.conditions),
        WireReader.freeze(draft.health));
  }
}
