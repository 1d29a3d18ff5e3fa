package dev.mooring.manager.audit;

import dev.mooring.audit.AuditEntry;
import dev.mooring.audit.AuditSink;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Last entries of each object, for the console. Keeps the most recently changed objects.
 * Thread-safe.
 */
public final class AuditTail implements AuditSink {
  private static final int MAX_OBJECTS = 4096;
  private static final int ENTRIES_PER_OBJECT = 10;

  private record Subject(String kind, ObjectKey key) {}

  private final AuditSink next;
  private final Map<Subject, Deque<AuditEntry>> entries =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Subject, Deque<AuditEntry>> eldest) {
          return size() > MAX_OBJECTS;
        }
      };

  public AuditTail(AuditSink next) {
    this.next = next;
  }

  @Override
  public void record(AuditEntry entry) {
    next.record(entry);
    if (entry.target().kind().isEmpty()) {
      return;
    }
    synchronized (entries) {
      Deque<AuditEntry> objectEntries =
          entries.computeIfAbsent(
              new Subject(entry.target().kind(), entry.target().key()), s -> new ArrayDeque<>());
      objectEntries.addLast(entry);
      if (objectEntries.size() > ENTRIES_PER_OBJECT) {
        objectEntries.removeFirst();
      }
    }
  }

  public List<AuditLine> lines(Kind<?> kind, ObjectKey key) {
    synchronized (entries) {
      Deque<AuditEntry> objectEntries = entries.get(new Subject(kind.kind(), key));
      return objectEntries == null ? List.of() : objectEntries.stream().map(AuditLine::of).toList();
    }
  }
}
