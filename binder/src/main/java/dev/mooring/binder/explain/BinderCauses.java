package dev.mooring.binder.explain;

import dev.mooring.binder.decide.Reason;
import dev.mooring.explain.Cause;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

/** The binder's reasons of each kind of object. */
final class BinderCauses {
  private BinderCauses() {}

  static Cause of(Reason reason) {
    return Cause.of(reason, reason.rank());
  }

  static List<Cause> ofClaims() {
    return toCauses(reported(), EnumSet.range(Reason.BOUND, Reason.OBJECTS_UNREADABLE).stream());
  }

  static List<Cause> ofVolumes() {
    return toCauses(
        reported(), EnumSet.range(Reason.OBJECTS_UNREADABLE, Reason.RECYCLING).stream());
  }

  static List<Cause> ofClasses() {
    return toCauses(
        EnumSet.range(Reason.CLASS_SERVED, Reason.CLASS_WITHOUT_ROOM).stream(),
        Stream.of(Reason.PROVISIONER_UNKNOWN));
  }

  private static Stream<Reason> reported() {
    return Arrays.stream(Reason.values()).filter(Reason::hasEvent);
  }

  private static List<Cause> toCauses(Stream<Reason> reasons, Stream<Reason> moreReasons) {
    return Stream.concat(reasons, moreReasons).map(BinderCauses::of).toList();
  }
}
