package bad.mooring.manager;

import bad.mooring.attachdetach.observe.SecondWriter;
import bad.mooring.binder.decide.BadDecision;
import bad.mooring.csi.execute.BadDriver;
import bad.mooring.expander.decide.ResizeHelper;
import bad.mooring.populator.execute.BadPods;
import bad.mooring.protection.decide.BadFinalizers;
import bad.mooring.provisioner.execute.BadVolumes;
import bad.mooring.selinux.execute.BadLabels;
import bad.mooring.snapshots.observe.BadContents;

/** R14: uses inner classes of every controller. */
record BadPeek(
    BadDecision binder,
    SecondWriter attachdetach,
    ResizeHelper expander,
    BadPods populator,
    BadFinalizers protection,
    BadVolumes provisioner,
    BadDriver csi,
    BadLabels selinux,
    BadContents snapshots) {}
