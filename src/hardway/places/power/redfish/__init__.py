"""Machines with a BMC: switched by Redfish, and started from a medium that the BMC fetches."""
