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
  private static final int OBJECTS = 4096;
  private static final int OF_EACH = 10;

  private record Subject(String kind, ObjectKey key) {}

  private final AuditSink next;
  private final Map<Subject, Deque<AuditEntry>> entries =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Subject, Deque<AuditEntry>> eldest) {
          return size() > OBJECTS;
        }
      };

  public AuditTail(AuditSink next) {
    this.next = next;
  }

  @Override
  public void note(AuditEntry entry) {
    next.note(entry);
    if (entry.target().kind().isEmpty()) {
      return;
    }
    synchronized (entries) {
      Deque<AuditEntry> of =
          entries.computeIfAbsent(
              new Subject(entry.target().kind(), entry.target().key()), s -> new ArrayDeque<>());
      of.addLast(entry);
      if (of.size() > OF_EACH) {
        of.removeFirst();
      }
    }
  }

  public List<AuditLine> of(Kind<?> kind, ObjectKey key) {
    synchronized (entries) {
      Deque<AuditEntry> of = entries.get(new Subject(kind.kind(), key));
      return of == null ? List.of() : of.stream().map(AuditLine::of).toList();
    }
  }
}
