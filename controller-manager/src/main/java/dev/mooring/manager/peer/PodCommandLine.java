package dev.mooring.manager.peer;

import dev.mooring.cluster.LiveReader;
import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Command and arguments of a pod's containers. */
final class PodCommandLine {
  private PodCommandLine() {}

  /** Returns all words; empty if the pod is absent, unreadable, or names no command. */
  static List<String> read(LiveReader reader, ObjectKey pod) throws InterruptedException {
    return reader
        .readWhole(Kind.POD, pod)
        .toOptional()
        .map(PodCommandLine::readWords)
        .orElse(List.of());
  }

  private static List<String> readWords(Map<String, Object> pod) {
    return new RawObject(pod)
        .at("spec").objects("containers").stream()
            .flatMap(container ->
                Stream.concat(container.list("command").stream(), container.list("args").stream()))
            .toList();
  }
}
