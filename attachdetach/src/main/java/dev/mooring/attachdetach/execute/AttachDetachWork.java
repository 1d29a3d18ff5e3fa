package dev.mooring.attachdetach.execute;

import dev.mooring.reconcile.ControllerSpec.SlowWork;
import java.time.Duration;

/** Running attaches and detaches. Operations that wait for an attacher count as not running. */
public record AttachDetachWork(AttachDetachOperations operations, VolumeAttachments attachments)
    implements SlowWork {
  @Override
  public boolean isQuiet() {
    return operations.countRunning() <= attachments.waiters();
  }

  @Override
  public boolean close(Duration grace) throws InterruptedException {
    // do not wait for attachers: the next start finds the attachments
    boolean hasWaiters = attachments.waiters() > 0;
    return operations.close(hasWaiters ? Duration.ZERO : grace) || hasWaiters;
  }
}
