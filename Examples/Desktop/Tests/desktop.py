# SPDX-License-Identifier: MIT
"""A display of its own, and the window of a program on it: keys, clicks, pictures, and the accessibility tree."""
import os, pathlib, shutil, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True

passed = 0
def check(name, condition):
    global passed
    assert condition, name
    passed += 1
    print('ok', name, flush=True)

def summary(): print(f'{passed} passed, 0 failed')

def start_display(width=860, height=560, isDark=False):
    """Starts Xvfb on a free display, and a bus for the accessibility tree, until this process ends."""
    reading, writing = os.pipe()
    server = subprocess.Popen(['Xvfb', '-displayfd', str(writing), '-noreset', '-screen', '0', f'{width}x{height}x24'], pass_fds=[writing],
                              stderr=subprocess.DEVNULL)
    os.close(writing)
    number = os.read(reading, 16).decode().strip()
    if not number: raise SystemExit('Xvfb does not start.')
    # Without a graphics card; pictures are the same everywhere without a blinking cursor.
    os.environ.update(DISPLAY=f':{number}', GSK_RENDERER='cairo', GDK_BACKEND='x11', GTK_THEME='Adwaita:dark' if isDark else 'Adwaita', NO_AT_BRIDGE='0')
    os.environ['GSETTINGS_BACKEND'] = 'memory'
    bus = subprocess.Popen(['dbus-daemon', '--session', '--nofork', '--print-address=1'], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True)
    os.environ['DBUS_SESSION_BUS_ADDRESS'] = bus.stdout.readline().strip()
    return [server, bus]

class Window:
    """A program with one window. Names and roles are those that a screen reader is told."""
    def __init__(self, program, *arguments):
        import gi
        gi.require_version('Atspi', '2.0')
        from gi.repository import Atspi
        self.atspi = Atspi
        self.process = subprocess.Popen([program, *map(str, arguments)], stderr=subprocess.PIPE, text=True)
        self.id = self.until(lambda: self.tool('search', '--onlyvisible', '--pid', str(self.process.pid)).split()[-1:])[0]
        # There is no window manager that would do this.
        self.tool('windowsize', self.id, *self.tool('getdisplaygeometry').split())
        self.tool('windowfocus', self.id)
        self.application = self.until(self.find_application)
    def tool(self, *arguments):
        return subprocess.run(['xdotool', *arguments], capture_output=True, text=True).stdout
    def until(self, condition, seconds=20):
        """Waits for what a person would wait for."""
        end = time.monotonic() + seconds
        while True:
            value = condition()
            if value or time.monotonic() > end: return value
            if self.process.poll() is not None: raise SystemExit('The program has ended: ' + self.process.stderr.read())
            time.sleep(0.03)
    def find_application(self):
        desktop = self.atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(index)
            if child and child.get_process_id() == self.process.pid: return child
    def all(self):
        """What is displayed: each with its role and its name."""
        from gi.repository import GLib
        found = []
        def visit(node):
            # A node may be removed while the tree is read.
            try:
                node.clear_cache()
                if node is not self.application and not node.get_state_set().contains(self.atspi.StateType.VISIBLE): return
                found.append((node, node.get_role_name(), node.get_name() or ''))
                for index in range(node.get_child_count()):
                    child = node.get_child_at_index(index)
                    if child: visit(child)
            except GLib.Error: pass
        visit(self.application)
        return found
    def seen(self):
        """The roles and names of one moment: two looks at a busy machine may be seconds apart."""
        return {(role, name) for _, role, name in self.all()}
    def nodes(self, role=None, name=None):
        return [node for node, its_role, its_name in self.all() if role in (None, its_role) and name in (None, its_name)]
    def has(self, role, name): return bool(self.nodes(role, name))
    def shows(self, text): return any(text in name for _, _, name in self.all())
    def text(self, name):
        """The text of a field."""
        nodes = [node for node in self.nodes(name=name) if node.get_text_iface()]
        return self.atspi.Text.get_text(nodes[0], 0, self.atspi.Text.get_character_count(nodes[0])) if nodes else None
    def click(self, role, name, count=1):
        nodes = self.until(lambda: self.nodes(role, name))
        assert nodes, f'There is no {role} {name}.'
        # Of two pages the incoming one is the first.
        node = nodes[0]
        box = node.get_component_iface().get_extents(self.atspi.CoordType.WINDOW)
        self.tool('mousemove', '--window', self.id, str(box.x + box.width // 2), str(box.y + box.height // 2),
                  'click', '--repeat', str(count), '--delay', '60', '1')
    def key(self, *keys): self.tool('key', '--delay', '30', *keys)
    def type(self, text): self.tool('type', '--delay', '40', text)
    def picture(self, folder, name):
        # When nothing moves any more.
        time.sleep(0.4)
        subprocess.run(['import', '-window', self.id, str(folder / f'{name}.png')], check=True)
    def close(self):
        self.process.kill()
        self.process.wait()
