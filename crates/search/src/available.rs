//! The memory that the machine, or the control groups of the process, still have available.

use std::path::Path;

/// Bytes that must remain available, besides the hash table, for the rest of the program.
pub(crate) const ROOM: usize = 24 << 20;

/// The memory in MiB that can be allocated without swapping: the kernel's estimate, capped by what the limits of this
/// process's control groups leave. `reclaimable` MiB more are about to be freed. `None` if unknown, as outside Linux,
/// where the system refuses excessive requests itself.
pub(crate) fn available_megabytes(reclaimable: usize) -> Option<usize> {
    if cfg!(target_os = "linux") {
        let kernel = meminfo_available(&std::fs::read_to_string("/proc/meminfo").ok()?)?;
        let groups = left_by_groups(Path::new("/")).into_iter().min().unwrap_or(usize::MAX);
        Some(kernel.min(groups).saturating_add(reclaimable))
    } else {
        None
    }
}

/// The available memory in MiB, from the text of `/proc/meminfo`.
fn meminfo_available(text: &str) -> Option<usize> {
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?.trim().strip_suffix("kB")?;
    Some(kilobytes.trim().parse::<usize>().ok()? / 1024)
}

/// The files of a control group for its limit and its use of memory in bytes, and the beginning of the names in
/// `memory.stat` that count its descendants, too.
type GroupFiles = [&'static str; 3];

/// Version 2 of control groups.
const UNIFIED: GroupFiles = ["memory.max", "memory.current", ""];

/// Version 1.
const LEGACY: GroupFiles = ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_"];

/// The memory in MiB that the limits of this process's control groups, of both versions, and of their ancestors leave.
/// `root` is `/`.
fn left_by_groups(root: &Path) -> Vec<usize> {
    let groups = std::fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mount = root.join("sys/fs/cgroup");
    let mut left = Vec::new();
    for line in groups.lines() {
        // "0::/PATH" is the group of version 2, "N:CONTROLLERS:/PATH" one of version 1.
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let (top, [limit, usage, prefix]) = match controllers {
            "" => (mount.clone(), UNIFIED),
            list if list.split(',').any(|name| name == "memory") => (mount.join("memory"), LEGACY),
            _ => continue,
        };
        let own = top.join(path.trim_start_matches('/'));
        // In a container the path may be that of the host: its group is then mounted at the root.
        for folder in own.ancestors().take_while(|folder| folder.starts_with(&top)) {
            let read = |file| std::fs::read_to_string(folder.join(file)).unwrap_or_default();
            let bytes = |file| read(file).trim().parse::<u64>().ok();
            // Without a limit, the file contains "max", or in version 1 a number beyond all memory.
            let Some(limit) = bytes(limit) else { continue };
            let dropped = droppable(&read("memory.stat"), prefix);
            let used = bytes(usage).map_or(ROOM as u64, |used| used.saturating_sub(dropped));
            left.extend(usize::try_from(limit.saturating_sub(used) >> 20));
        }
    }
    left
}

/// The bytes of files in the system's cache, by the text of `memory.stat`. They count as used, but the system drops
/// them when memory is needed.
fn droppable(stat: &str, prefix: &str) -> u64 {
    let counts = stat.lines().filter_map(|line| line.strip_prefix(prefix)?.split_once(' '));
    let files = counts.filter(|(name, _)| matches!(*name, "active_file" | "inactive_file"));
    files.filter_map(|(_, bytes)| bytes.trim().parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read_from_meminfo() {
        let text = "MemTotal:       24684156 kB\nMemFree:         100 kB\nMemAvailable:   24333312 kB\nBuffers: 1 kB\n";
        assert_eq!(meminfo_available(text), Some(24_333_312 / 1024));
        for text in ["", "MemTotal: 3 kB", "MemAvailable: kB", "MemAvailable: -1 kB", "MemAvailable: 5"] {
            assert_eq!(meminfo_available(text), None, "{text}");
        }
    }

    #[test]
    fn control_groups_of_both_versions_count() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let left = || {
            let mut left = left_by_groups(root.path());
            left.sort_unstable();
            left
        };
        assert_eq!(left(), [0; 0]);
        write("proc/self/cgroup", "0::/user/one\n");
        write("sys/fs/cgroup/user/one/memory.max", "max\n");
        write("sys/fs/cgroup/user/memory.max", "104857600\n");
        // If the group's usage is unknown, a part is reserved for it.
        assert_eq!(left(), [76]);
        write("sys/fs/cgroup/user/memory.current", "62914560\n");
        assert_eq!(left(), [40]);
        write("sys/fs/cgroup/user/memory.stat", "anon 9\ninactive_file 2097152\nactive_file 1048576\nfile 77777777\n");
        assert_eq!(left(), [43]);
        write("sys/fs/cgroup/user/memory.current", "104867600\n");
        write("sys/fs/cgroup/user/memory.stat", "");
        assert_eq!(left(), [0]);
        // Version 1, with controllers that share a hierarchy.
        write("proc/self/cgroup", "12:cpu,cpuacct:/a\n5:memory,hugetlb:/docker/b:c\n1:name=systemd:/\n0::/user\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("sys/fs/cgroup/memory/memory.usage_in_bytes", "0\n");
        write("sys/fs/cgroup/memory/docker/b:c/memory.limit_in_bytes", "536870912\n");
        write("sys/fs/cgroup/memory/docker/b:c/memory.usage_in_bytes", "134217728\n");
        write("sys/fs/cgroup/memory/docker/b:c/memory.stat", "inactive_file 9999999\ntotal_inactive_file 1048576\n");
        assert_eq!(left(), [0, 385, 9_223_372_036_854_771_712 >> 20]);
        // In a container, the path is the host's and does not exist; the container's group is at the root.
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n");
        write("proc/self/cgroup", "5:memory:/docker/elsewhere\n");
        assert_eq!(left(), [256]);
        for text in ["", "\n", "5", "5:memory", "memory:/", "5:cpu:/docker/b:c", "5:memoryx:/docker/b:c"] {
            write("proc/self/cgroup", text);
            assert_eq!(left(), [0; 0], "{text}");
        }
    }
}
